package io.tidelog.producer;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;

/**
 * The producer snapshots in a partition's folder, each named by the offset that it stands before.
 * One is written when a segment is rolled, named as the new segment, and one when the log is
 * closed.
 */
public final class ProducerSnapshots {
  private static final String SUFFIX = ".snapshot";

  private static final Pattern NAME = Pattern.compile("[0-9]{20}\\.snapshot");
  private static final String LARGEST_NAME = fileName(Long.MAX_VALUE);

  private final Disk disk;
  private final Path directory;
  private final NavigableSet<Long> offsets = new ConcurrentSkipListSet<>();

  private ProducerSnapshots(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /** Finds the snapshots in a folder, without reading them. */
  public static ProducerSnapshots open(Disk disk, Path directory) throws IOException {
    ProducerSnapshots snapshots = new ProducerSnapshots(disk, directory);
    for (String name : disk.list(directory)) {
      if (NAME.matcher(name).matches() && name.compareTo(LARGEST_NAME) <= 0) {
        snapshots.offsets.add(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())));
      }
    }
    return snapshots;
  }

  /** Those of a folder that cannot be looked into: none. */
  public static ProducerSnapshots unread(Disk disk, Path directory) {
    return new ProducerSnapshots(disk, directory);
  }

  private static String fileName(long offset) {
    return "%020d%s".formatted(offset, SUFFIX);
  }

  private Path path(long offset) {
    return directory.resolve(fileName(offset));
  }

  /** The offsets that have a snapshot, as they are now. */
  public List<Long> offsets() {
    return List.copyOf(offsets);
  }

  /**
   * Writes one; it is durable after {@link #sync}. No effect if there is one, or before offset 0,
   * where there is nothing to remember.
   */
  public void write(long offset, ProducerStates states) throws IOException {
    if (offset == 0 || offsets.contains(offset)) {
      return;
    }
    deleteIfThere(offset); // what a failed attempt left
    try (DiskFile file = disk.create(path(offset))) {
      file.write(ProducerSnapshot.encode(states.all()), 0);
    } catch (IOException e) {
      takeBack(offset, e);
      throw e;
    }
    offsets.add(offset);
  }

  /** A part of a snapshot would be taken for a damaged one. */
  private void takeBack(long offset, IOException cause) {
    try {
      deleteIfThere(offset);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Makes one durable; no effect if it is gone. */
  public void sync(long offset) throws IOException {
    try (DiskFile file = disk.open(path(offset))) {
      file.sync();
      disk.syncDirectory(directory);
    } catch (NoSuchFileException e) {
      offsets.remove(offset);
    }
  }

  /**
   * Makes the states those before the end of a log, as far as a snapshot can: loads the newest one
   * within the log. Deletes those outside of it, and damaged ones.
   *
   * @param cutoffMs producers are left out as {@link ProducerStates#removeExpired} would remove
   *     them
   */
  public Restored restore(ProducerStates states, OffsetRange log, long cutoffMs)
      throws IOException {
    deleteBelow(log.start());
    deleteAbove(log.end());
    states.clear(log.end());
    List<CorruptSnapshotException> dropped = new ArrayList<>();
    while (!offsets.isEmpty()) {
      long newest = offsets.last();
      try {
        states.remember(ProducerSnapshot.read(disk, path(newest)), cutoffMs);
        return new Restored(newest, dropped);
      } catch (CorruptSnapshotException e) {
        dropped.add(e);
        delete(newest);
      }
    }
    return new Restored(log.start(), dropped);
  }

  /**
   * Adds to fresh states what the newest sound snapshot at or before an offset says. Changes no
   * file.
   *
   * @return the offset that it stands before
   */
  public OptionalLong load(ProducerStates states, long offset) throws IOException {
    for (long candidate : offsets.headSet(offset, true).descendingSet()) {
      try {
        states.remember(ProducerSnapshot.read(disk, path(candidate)), Long.MIN_VALUE);
        return OptionalLong.of(candidate);
      } catch (CorruptSnapshotException tryTheOneBefore) {
        // Whoever restores the producers says so.
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Deletes those from an offset on that are damaged, as a power cut may leave any of those that
   * were not durable yet.
   *
   * @return what was found in them
   */
  public List<CorruptSnapshotException> deleteTorn(long from) throws IOException {
    List<CorruptSnapshotException> torn = new ArrayList<>();
    for (long offset : List.copyOf(offsets.tailSet(from, true))) {
      try {
        ProducerSnapshot.read(disk, path(offset));
      } catch (CorruptSnapshotException damage) {
        torn.add(damage);
        delete(offset);
      }
    }
    return torn;
  }

  /** What the snapshot before an offset says; empty if there is none that is sound. */
  public Optional<List<ProducerState>> at(long offset) throws IOException {
    if (!offsets.contains(offset)) {
      return Optional.empty();
    }
    try {
      return Optional.of(ProducerSnapshot.read(disk, path(offset)));
    } catch (CorruptSnapshotException | NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /** When the one before an offset was written; empty if there is none. */
  public OptionalLong writtenMs(long offset) throws IOException {
    try {
      return offsets.contains(offset)
          ? OptionalLong.of(disk.modifiedMs(path(offset)))
          : OptionalLong.empty();
    } catch (NoSuchFileException gone) {
      return OptionalLong.empty();
    }
  }

  /** Deletes those of earlier stops: neither the newest nor at the start of a segment. */
  public void deleteStrays(Set<Long> segmentStarts) throws IOException {
    Set<Long> strays = new TreeSet<>(offsets);
    strays.removeAll(segmentStarts);
    if (!offsets.isEmpty()) {
      strays.remove(offsets.last());
    }
    deleteAll(strays);
  }

  /** Deletes those that stand before these offsets. */
  public void deleteAt(Collection<Long> some) throws IOException {
    Set<Long> there = new TreeSet<>(some);
    there.retainAll(offsets);
    deleteAll(there);
  }

  public void deleteBelow(long offset) throws IOException {
    deleteAll(offsets.headSet(offset, false));
  }

  /**
   * Durable when it returns: a snapshot that came back after a power cut would tell of batches that
   * were taken back.
   */
  private void deleteAbove(long offset) throws IOException {
    if (deleteAll(offsets.tailSet(offset, false)) > 0) {
      disk.syncDirectory(directory);
    }
  }

  /** How many there were. */
  private int deleteAll(Set<Long> some) throws IOException {
    List<Long> deleted = List.copyOf(some);
    for (long offset : deleted) {
      delete(offset);
    }
    return deleted.size();
  }

  private void delete(long offset) throws IOException {
    deleteIfThere(offset);
    offsets.remove(offset);
  }

  private void deleteIfThere(long offset) throws IOException {
    if (disk.exists(path(offset))) {
      disk.delete(path(offset));
    }
  }
}
