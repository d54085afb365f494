package io.tidelog.store;

import io.tidelog.log.NoRoomException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether one data directory has room for what clients append. Below the reserve it has none; what
 * frees space, and all else that is small, goes on within the reserve.
 *
 * <p>The file system is asked as often as it may have run full in between, and whenever half of
 * what was found free above the reserve has been appended since, so most appends only count their
 * bytes. Once an append did not fit, none is taken before it would fit with a quarter of the
 * reserve to spare: the state does not flicker.
 */
final class Room {
  /** A reserve that the disk's size decides. */
  static final long BY_SIZE = -1;

  private static final long MOST_BY_SIZE_BYTES = 64L << 20;
  private static final int PARTS_BY_SIZE = 100;

  /** No disk is filled faster, by whomever. */
  private static final long FASTEST_BYTES_PER_MS = 2L << 20;

  private static final long LONGEST_UNASKED_MS = 30_000;

  private final Surroundings around;
  private final Path directory;
  private final long setReserveBytes;
  private final AtomicLong unaskedBytes = new AtomicLong();

  private long reservedBytes;
  private long askedMs;
  private long unaskedMs;

  /** What was found when there was no room; null while there is. */
  private volatile Shortage shortage;

  /**
   * @param freeBytes found free
   * @param reservedBytes of these are kept
   * @param neededBytes have to be free before appends are taken again
   */
  private record Shortage(long freeBytes, long reservedBytes, long neededBytes) {
    @Override
    public String toString() {
      return "%,d bytes are free on its file system, of which %,d are kept (tidelog.reserved.disk.bytes)"
          .formatted(freeBytes, reservedBytes);
    }
  }

  /**
   * @param reservedBytes to keep free, or {@link #BY_SIZE}
   */
  Room(Surroundings around, Path directory, long reservedBytes) {
    this.around = around;
    this.directory = directory;
    this.setReserveBytes = reservedBytes;
  }

  /**
   * Takes room for a batch.
   *
   * @throws NoRoomException if there is none
   */
  void take(int batchBytes) throws NoRoomException {
    if (shortage == null && unaskedBytes.addAndGet(-batchBytes) < 0) {
      ask(batchBytes);
    }
    Shortage now = shortage;
    if (now != null) {
      throw new NoRoomException(directory, now.toString());
    }
  }

  /** Asks the file system if that is due; to be called every second. */
  synchronized void askIfDue() {
    if (shortage != null || Math.abs(around.clock().millis() - askedMs) >= unaskedMs) {
      try {
        reservedBytes = reservedBytes();
      } catch (IOException asBefore) {
        // The next time will do.
      }
      ask(0);
    }
  }

  private synchronized void ask(int batchBytes) {
    long freeBytes;
    try {
      freeBytes = around.disk().usableBytes(directory);
    } catch (IOException askedAgainSoon) {
      return;
    }
    Shortage before = shortage;
    if (before != null && freeBytes >= before.neededBytes) {
      shortage = null;
      tell(directory + ": clients may append again, %,d bytes are free".formatted(freeBytes));
    } else if (before == null && freeBytes - batchBytes < reservedBytes) {
      shortage =
          new Shortage(freeBytes, reservedBytes, reservedBytes + reservedBytes / 4 + batchBytes);
      tell(
          "%s: clients may not append until %,d bytes are free, since %s; all else goes on"
              .formatted(directory, shortage.neededBytes, shortage));
    }
    long spareBytes = freeBytes - reservedBytes - batchBytes;
    unaskedBytes.set(spareBytes / 2);
    askedMs = around.clock().millis();
    unaskedMs = Math.min(LONGEST_UNASKED_MS, spareBytes / FASTEST_BYTES_PER_MS);
  }

  private long reservedBytes() throws IOException {
    return setReserveBytes >= 0
        ? setReserveBytes
        : Math.min(MOST_BY_SIZE_BYTES, around.disk().totalBytes(directory) / PARTS_BY_SIZE);
  }

  private void tell(String sentence) {
    around.events().happened(StoreEvents.Kind.FULL, sentence);
  }
}
