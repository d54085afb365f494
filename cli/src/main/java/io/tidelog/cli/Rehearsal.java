package io.tidelog.cli;
public final class Rehearsal { public static void main(String[] a){ Tidelog.main(new String[]{"--help"}); } }
