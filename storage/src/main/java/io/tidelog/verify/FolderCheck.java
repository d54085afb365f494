package io.tidelog.verify;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.LostOffsets;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.TopicCatalog.TopicFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks what else lies in a partition's folder: whose it is, and files that are left over. */
final class FolderCheck {
  private static final Set<String> NAMES =
      Set.of(LeaderEpochCheckpoint.FILE_NAME, PartitionMetadata.FILE_NAME, LostOffsets.FILE_NAME);
  private static final List<String> CACHES =
      List.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX, SegmentFiles.TXN_INDEX);
  private static final Pattern LEFTOVER =
      Pattern.compile(".*\\.(deleted|cleaned|swap|tmp|new|part)");
  private static final Pattern CUT =
      Pattern.compile("[0-9]{20}\\.(log|index|timeindex)\\.[0-9]+\\.cut");
  private static final Pattern METADATA_NAME =
      Pattern.compile("[0-9]{20}-[0-9]{10}\\.checkpoint|quorum-state|bootstrap\\.checkpoint");

  private final PartitionContext context;
  private final FindingList findings;
  private final Set<Long> missing = new HashSet<>();

  FolderCheck(PartitionContext context, FindingList findings) {
    this.context = context;
    this.findings = findings;
  }

  /**
   * Checks.
   *
   * @param end the offset after the last batch
   */
  void check(long end) {
    checkTopic();
    for (String name : context.files().sizes().keySet()) {
      Path path = context.files().folder().resolve(name);
      if (LEFTOVER.matcher(name).matches()) {
        tell(FindingKind.LEFTOVER, path, "a file of an unfinished step", "none after it");
      } else if (CUT.matcher(name).matches()) {
        tell(FindingKind.CUT_COPY, path, "a copy", "nothing");
      } else if (!isKnown(name)) {
        tell(FindingKind.NAME_UNKNOWN, path, "a name of no file of a partition", "none");
      } else {
        checkLogOf(name, path, end);
      }
    }
  }

  private boolean isKnown(String name) {
    return NAMES.contains(name)
        || SegmentFiles.DATA_SUFFIXES.stream()
            .anyMatch(suffix -> SegmentFiles.baseOffset(name, suffix).isPresent())
        || SegmentFiles.baseOffset(name, SegmentFiles.SNAPSHOT).isPresent()
        || (context.isMetadata() && METADATA_NAME.matcher(name).matches());
  }

  /** An index that was made with its log tells that the log is gone. */
  private void checkLogOf(String name, Path path, long end) {
    NavigableSet<Long> logs = context.files().logs();
    for (String suffix : CACHES) {
      OptionalLong base = SegmentFiles.baseOffset(name, suffix);
      if (base.isEmpty() || logs.contains(base.getAsLong()) || !missing.add(base.getAsLong())) {
        continue;
      }
      Long next = logs.higher(base.getAsLong());
      boolean isOfCrash =
          context.state().stop() == Stop.RUNNING
              || context.state().mayBeTornAt(context.partition(), base.getAsLong());
      boolean isBelowStart = next != null && logs.lower(base.getAsLong()) == null;
      if (isOfCrash || isBelowStart) {
        tell(FindingKind.LEFTOVER, path, "an index without its log", "none");
      } else {
        findings.add(
            Finding.of(
                    FindingKind.LOG_MISSING,
                    context.files().path(base.getAsLong(), SegmentFiles.LOG),
                    0,
                    "no such file, though %s is here".formatted(name),
                    "the segment's log")
                .about(base.getAsLong(), next == null ? end : next));
      }
    }
  }

  private void checkTopic() {
    Path file = context.files().folder().resolve(PartitionMetadata.FILE_NAME);
    Optional<TopicId> id;
    try {
      id = new PartitionMetadata(context.disk(), context.files().folder()).read();
    } catch (MalformedFileException damage) {
      findings.add(Malformed.finding(FindingKind.TOPIC_ID_UNREADABLE, damage));
      return;
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(file, unreadable));
      return;
    }
    if (id.isEmpty()) {
      tell(FindingKind.TOPIC_ID_MISSING, file, "no such file", "the topic's id");
    }
    Optional<TopicCatalog> topics = context.options().topics();
    if (topics.isEmpty() || context.isMetadata() || context.state().stop() == Stop.RUNNING) {
      return;
    }
    if (id.filter(topics.get()::wasDeleted).isPresent()) {
      tell(FindingKind.LEFTOVER, context.files().folder(), "a deleted topic's folder", "none");
    } else {
      compare(file, id, context.facts());
    }
  }

  private void compare(Path file, Optional<TopicId> id, Optional<TopicFacts> facts) {
    int partition = context.partition().partition();
    if (facts.isEmpty() || partition >= facts.get().partitions()) {
      tell(
          FindingKind.TOPIC_UNKNOWN,
          context.files().folder(),
          "a folder of partition " + partition,
          facts
              .map(topic -> "one below %d, as the metadata have it".formatted(topic.partitions()))
              .orElse("a topic that the metadata know"));
    } else if (id.isPresent() && !id.get().equals(facts.get().id())) {
      tell(
          FindingKind.TOPIC_ID_WRONG,
          file,
          "topic id " + id.get(),
          facts.get().id() + ", as the metadata have it");
    }
  }

  private void tell(FindingKind kind, Path path, String found, String expected) {
    findings.add(Finding.of(kind, path, 0, found, expected));
  }
}
