package io.tidelog.disk;

import java.io.Closeable;

/** An exclusive hold on a file, released by {@link #close}. */
public interface DiskLock extends Closeable {}
