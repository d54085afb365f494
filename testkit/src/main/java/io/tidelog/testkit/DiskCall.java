package io.tidelog.testkit;

import java.nio.file.Path;

/**
 * One call of a {@link SimDisk} or of a file on it. The questions {@code exists} and {@code
 * isDirectory} are none: they cannot fail.
 *
 * @param kind what was asked for
 * @param path the file or directory, by the name under which it was opened
 */
public record DiskCall(Kind kind, Path path) {

  /** What can be asked of a disk. */
  public enum Kind {
    LIST(Effect.NONE),
    SIZE(Effect.NONE),
    MODIFIED(Effect.NONE),
    SET_MODIFIED(Effect.NONE),
    USABLE(Effect.NONE),
    TOTAL(Effect.NONE),
    OPEN(Effect.NONE),
    READ(Effect.NONE),
    TRANSFER(Effect.NONE),
    MAP(Effect.NONE),
    CREATE_DIRECTORIES(Effect.CHANGE),
    CREATE(Effect.CHANGE),
    RENAME(Effect.CHANGE),
    DELETE(Effect.CHANGE),
    LOCK(Effect.CHANGE),
    WRITE(Effect.CHANGE),
    TRUNCATE(Effect.CHANGE),
    SYNC(Effect.SYNC),
    SYNC_DIRECTORY(Effect.SYNC);

    private final Effect effect;

    Kind(Effect effect) {
      this.effect = effect;
    }
  }

  private enum Effect {
    NONE,
    CHANGE,
    SYNC
  }

  /** Whether a power cut at this call may leave another disk than one at the call before. */
  boolean isChange() {
    return kind.effect != Effect.NONE;
  }

  /** Whether a power cut at this call may leave its effect. */
  boolean isDoneWhenCut() {
    return kind.effect == Effect.CHANGE;
  }

  @Override
  public String toString() {
    return kind + " " + path;
  }
}
