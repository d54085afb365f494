package io.tidelog.testkit;

/**
 * Does something on a {@link SimDisk} again and again, each time with a few more bytes of room,
 * from none until it succeeds.
 */
public final class RoomSweep {
  private static final long MOST_BYTES = 1 << 20;
  private static final long PLENTY_BYTES = 1L << 40;

  private final CrashSweep.Preparation preparation;
  private final long stepBytes;

  /** What is done with little room, and looked at with plenty. */
  public interface Attempt {
    /**
     * Does it.
     *
     * @param disk with little room; {@link #plenty} gives it more
     * @return whether it has succeeded; if not, everything must be as it was
     */
    boolean succeedsOn(SimDisk disk) throws Exception;
  }

  private RoomSweep(long stepBytes, CrashSweep.Preparation preparation) {
    this.stepBytes = stepBytes;
    this.preparation = preparation;
  }

  /**
   * @param prepared done before each attempt, with plenty of room
   */
  public static RoomSweep inStepsOf(long bytes, CrashSweep.Preparation prepared) {
    return new RoomSweep(bytes, prepared);
  }

  /** From now on there is room for anything. */
  public static void plenty(SimDisk disk) {
    disk.limitSpace(PLENTY_BYTES);
  }

  /**
   * Runs the sweep.
   *
   * @return how many attempts failed before one succeeded
   */
  public int untilItSucceeds(Attempt attempt) throws Exception {
    int failed = 0;
    for (long room = 0; room < MOST_BYTES; room += stepBytes) {
      SimDisk prepared = new SimDisk(room);
      preparation.run(prepared);
      SimDisk disk = prepared.restart(room);
      disk.limitSpace(room);
      try {
        if (attempt.succeedsOn(disk)) {
          return failed;
        }
        disk.close();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("with room for " + room + " bytes", e);
      }
      failed++;
    }
    throw new AssertionError("it does not even succeed with room for " + MOST_BYTES + " bytes");
  }
}
