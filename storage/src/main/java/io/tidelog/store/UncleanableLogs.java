package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.CorruptLogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The logs that cannot be compacted, and what stands in the way. One is tried again once that may
 * have changed: another size or time of the file, another folder, other settings.
 */
final class UncleanableLogs {
  private static final long UNKNOWN = -1;

  private final Surroundings around;
  private final Map<TopicPartition, Entry> entries = new ConcurrentHashMap<>();

  /** What stands in the way, and what was there at that time. */
  private record Entry(Uncleanable what, PartitionLog log, LogSettings settings, State file) {}

  /** What a change of a file shows in. */
  private record State(long sizeBytes, long modifiedMs) {}

  UncleanableLogs(Surroundings around) {
    this.around = around;
  }

  void add(PartitionLog log, Exception why) {
    boolean isDamage = why instanceof CorruptLogException;
    Path file = isDamage ? ((CorruptLogException) why).file() : log.directory();
    Uncleanable what =
        new Uncleanable(
            log.topicPartition(),
            file,
            isDamage ? ((CorruptLogException) why).position() : UNKNOWN,
            isDamage ? why.getMessage() : log.directory() + ": " + why,
            around.clock().millis());
    entries.put(log.topicPartition(), new Entry(what, log, log.settings(), stateOf(file)));
    around
        .events()
        .happened(
            StoreEvents.Kind.UNCLEANABLE,
            "%s cannot be compacted: %s. Repair it; the others go on"
                .formatted(log.topicPartition(), what.reason()));
  }

  private State stateOf(Path file) {
    try {
      return around.disk().isDirectory(file)
          ? new State(UNKNOWN, UNKNOWN)
          : new State(around.disk().sizeBytes(file), around.disk().modifiedMs(file));
    } catch (IOException gone) {
      return new State(UNKNOWN, UNKNOWN);
    }
  }

  /** What stands in a log's way, if nothing about that has changed. */
  Optional<Uncleanable> find(PartitionLog log) {
    Entry entry = entries.get(log.topicPartition());
    if (entry == null) {
      return Optional.empty();
    }
    boolean isAsItWas =
        entry.log == log
            && entry.settings == log.settings()
            && entry.file.equals(stateOf(entry.what.file()));
    if (!isAsItWas) {
      entries.remove(log.topicPartition(), entry);
    }
    return isAsItWas ? Optional.of(entry.what) : Optional.empty();
  }

  void forget(TopicPartition partition) {
    entries.remove(partition);
  }

  Collection<Uncleanable> all() {
    return entries.values().stream().map(Entry::what).toList();
  }
}
