package io.tidelog.log;

import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which leader epoch began at which offset, oldest first, both rising. The batches say it too, so
 * the file {@code leader-epoch-checkpoint} has to be right only up to the recovery point: {@link
 * #save} comes before that moves, and recovery notes the rest again. Readers take the immutable
 * list.
 */
public final class LeaderEpochs {
  private LeaderEpochCheckpoint file;
  private volatile List<EpochEntry> entries;

  /** What the file holds; null if that is not known. */
  private List<EpochEntry> saved;

  private LeaderEpochs(
      LeaderEpochCheckpoint file, List<EpochEntry> entries, List<EpochEntry> saved) {
    this.file = file;
    this.entries = entries;
    this.saved = saved;
  }

  /** Takes up what the file holds; it may be missing. */
  public static LeaderEpochs open(LeaderEpochCheckpoint file) throws IOException {
    List<EpochEntry> entries = List.copyOf(file.read());
    return new LeaderEpochs(file, entries, entries);
  }

  /** Knows none yet; the file will be replaced whatever it holds. */
  public static LeaderEpochs lost(LeaderEpochCheckpoint file) {
    return new LeaderEpochs(file, List.of(), null);
  }

  /**
   * Notes that a batch of this epoch was written at this offset; no effect unless the epoch is
   * another one than the latest. What is known of later epochs or offsets is then forgotten.
   */
  public void note(int epoch, long offset) {
    List<EpochEntry> now = entries;
    EpochEntry last = now.isEmpty() ? null : now.get(now.size() - 1);
    if (epoch < 0 || (last != null && last.epoch() == epoch && last.startOffset() <= offset)) {
      return;
    }
    List<EpochEntry> kept = new ArrayList<>(now);
    kept.removeIf(entry -> entry.epoch() >= epoch || entry.startOffset() >= offset);
    kept.add(new EpochEntry(epoch, offset));
    entries = List.copyOf(kept);
  }

  /** Where the earliest began; past all offsets if none is known. */
  public long begin() {
    List<EpochEntry> now = entries;
    return now.isEmpty() ? Long.MAX_VALUE : now.get(0).startOffset();
  }

  /** The largest epoch, or -1. */
  public int latest() {
    List<EpochEntry> now = entries;
    return now.isEmpty() ? -1 : now.get(now.size() - 1).epoch();
  }

  /** The epoch that was in force at an offset, or -1. */
  public int at(long offset) {
    int found = -1;
    for (EpochEntry entry : entries) {
      if (entry.startOffset() > offset) {
        break;
      }
      found = entry.epoch();
    }
    return found;
  }

  /** Where an epoch ends, given the log's end offset. */
  public EpochEnd endOf(int epoch, long logEnd) {
    List<EpochEntry> now = entries;
    if (epoch < 0 || now.isEmpty() || epoch > latest()) {
      return EpochEnd.UNKNOWN;
    }
    if (epoch == latest()) {
      return new EpochEnd(epoch, logEnd);
    }
    if (epoch < now.get(0).epoch()) {
      return new EpochEnd(epoch, now.get(0).startOffset());
    }
    for (int i = now.size() - 2; ; i--) {
      if (now.get(i).epoch() <= epoch) {
        return new EpochEnd(now.get(i).epoch(), now.get(i + 1).startOffset());
      }
    }
  }

  /** Forgets what began at or after an offset. */
  public void truncateTo(long end) {
    List<EpochEntry> kept = new ArrayList<>(entries);
    kept.removeIf(entry -> entry.startOffset() >= end);
    entries = List.copyOf(kept);
  }

  /**
   * The same for a log with a start. Where all records were deleted the epoch that begins at the
   * start stays: it bears witness of it.
   */
  public void truncateTo(long end, long start) {
    truncateTo(start > 0 ? Math.max(end, start + 1) : end);
  }

  /** Forgets epochs that ended before an offset; the one in force there now begins there. */
  public void advanceTo(long start) {
    entries = from(start);
  }

  private List<EpochEntry> from(long start) {
    int inForce = at(start);
    List<EpochEntry> now = entries;
    if (inForce < 0) {
      return now;
    }
    List<EpochEntry> kept = new ArrayList<>();
    for (EpochEntry entry : now) {
      if (entry.epoch() == inForce) {
        kept.add(new EpochEntry(inForce, Math.max(entry.startOffset(), start)));
      } else if (entry.startOffset() > start) {
        kept.add(entry);
      }
    }
    return List.copyOf(kept);
  }

  /** Writes another file that says the same, durably. */
  void copyTo(LeaderEpochCheckpoint other) throws IOException {
    other.write(entries);
  }

  /** From here on they are kept in another file, which was made by {@link #copyTo}. */
  synchronized void moveTo(LeaderEpochCheckpoint other) {
    file = other;
  }

  /** Takes the earliest epoch for that of an offset before it too, where batches are lost. */
  public void reachBackTo(long start) {
    if (!entries.isEmpty() && entries.get(0).startOffset() > start) {
      List<EpochEntry> all = new ArrayList<>(entries);
      all.set(0, new EpochEntry(all.get(0).epoch(), start));
      entries = List.copyOf(all);
    }
  }

  /** Makes the file say what is in memory, durably. */
  public synchronized void save() throws IOException {
    save(entries);
  }

  /** Makes the file say what {@link #advanceTo} will, durably, before anybody sees it. */
  synchronized void saveFrom(long start) throws IOException {
    save(from(start));
  }

  private void save(List<EpochEntry> now) throws IOException {
    if (!now.equals(saved)) {
      saved = null; // whatever becomes of the write
      file.write(now);
      saved = now;
    }
  }
}
