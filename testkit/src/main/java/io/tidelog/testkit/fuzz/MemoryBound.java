package io.tidelog.testkit.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Holds an action to the memory that it may take on the heap, all that it lets go again included.
 */
public final class MemoryBound {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int TRIES = 3;

  /** What is done. */
  public interface Action {
    void run() throws Exception;
  }

  private final long fixedBytes;
  private final long perInputByte;

  private MemoryBound(long fixedBytes, long perInputByte) {
    this.fixedBytes = fixedBytes;
    this.perInputByte = perInputByte;
  }

  /** So many bytes whatever the input, and so many for each byte of it. */
  public static MemoryBound of(long fixedBytes, long perInputByte) {
    return new MemoryBound(fixedBytes, perInputByte);
  }

  /**
   * Does it; once more if it took too much, since the first time may have loaded classes.
   *
   * @throws AssertionError if it took too much each time
   */
  public void check(int inputBytes, Action action) throws Exception {
    long most = fixedBytes + perInputByte * inputBytes;
    long taken = 0;
    for (int i = 0; i < TRIES; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      action.run();
      taken = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (taken <= most) {
        return;
      }
    }
    throw new AssertionError(
        "an input of %d bytes took %d bytes of memory, expected at most %d"
            .formatted(inputBytes, taken, most));
  }
}
