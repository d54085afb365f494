/**
 * Job: claims about any bytes at all, kept with every input that ever mattered to them, and the way
 * to have a fuzzer look for more such inputs.
 *
 * <p>Start reading at: {@link io.tidelog.testkit.fuzz.FuzzTarget}, the claim; then {@link
 * io.tidelog.testkit.fuzz.KnownInputs}, what each test run tries, and {@link
 * io.tidelog.testkit.fuzz.FuzzRun}, what {@code ./dev fuzz} does.
 *
 * <p>Uses: nothing of ours; Jazzer, when {@code ./dev fuzz} has put it on the class path.
 *
 * <p>Threads: all of it belongs to one thread.
 */
package io.tidelog.testkit.fuzz;
