package io.tidelog.verify;

import io.tidelog.checkpoint.LostOffsets;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.PartitionContext.Compaction;
import io.tidelog.verify.SegmentFacts.EpochStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Judges a partition by what was found in its segments, and what lies beside them. */
final class PartitionCheck {
  private final PartitionContext context;
  private final List<SegmentFacts> segments;
  private final Compaction compaction;
  private final FindingList findings = new FindingList();

  /**
   * @param segments by rising base offset
   */
  PartitionCheck(PartitionContext context, List<SegmentFacts> segments) {
    this.context = context;
    this.segments = segments;
    boolean isCompacted = segments.stream().anyMatch(segment -> segment.traits().isCompacted());
    this.compaction =
        isCompacted && context.compaction() == Compaction.PERHAPS
            ? Compaction.SURELY
            : context.compaction();
  }

  /** What is to be said of it. */
  FindingList run() throws IOException {
    for (int i = 0; i < segments.size(); i++) {
      SegmentFacts segment = segments.get(i);
      findings.add(segment.findings());
      tellDamage(segment, i);
      tellGaps(segment);
      if (i > 0) {
        compareWithNext(segments.get(i - 1), segment);
      }
    }
    boolean isEndKnown = segments.isEmpty() || segments.get(segments.size() - 1).isWhole();
    long end = isEndKnown ? end() : Long.MAX_VALUE;
    new EpochsCheck(context, findings).check(segments, end);
    new ProducersCheck(context, findings).check(segments, compaction, end);
    if (isEndKnown) {
      new OffsetsCheck(context, findings).check(segments, end);
    }
    new StartCheck(context, findings).check();
    new FolderCheck(context, findings).check(end());
    if (context.isMetadata()) {
      new MetadataSnapshotsCheck(context, findings).run();
    }
    return findings;
  }

  /** The offset after the last batch; 0 if there is no log. */
  private long end() {
    return segments.isEmpty() ? 0 : segments.get(segments.size() - 1).nextOffset();
  }

  private Path log(SegmentFacts segment) {
    return context.files().path(segment.baseOffset(), SegmentFiles.LOG);
  }

  private void tellDamage(SegmentFacts segment, int index) {
    for (Stretch stretch : segment.damage()) {
      boolean isAtEnd = stretch.isTail() && isEmptyFrom(index + 1);
      long end = endOf(stretch, index);
      FindingKind kind = kindOf(stretch, isAtEnd);
      findings.add(
          Finding.of(kind, log(segment), stretch.position(), stretch.found(), stretch.expected())
              .about(stretch.offset(), end));
    }
  }

  private boolean isEmptyFrom(int index) {
    return segments.subList(index, segments.size()).stream().allMatch(SegmentFacts::isEmpty);
  }

  /** Up to which offset the damage reaches; of a tail nobody knows unless a segment follows. */
  private long endOf(Stretch stretch, int index) {
    if (!stretch.isTail()) {
      return stretch.nextOffset();
    }
    return index + 1 < segments.size()
        ? segments.get(index + 1).baseOffset()
        : Math.max(
            stretch.offset(),
            context.state().offset(Kind.RECOVERY_POINT, context.partition()).orElse(0L));
  }

  private FindingKind kindOf(Stretch stretch, boolean isAtEnd) {
    boolean isOfCrash = context.state().mayBeTornAt(context.partition(), stretch.offset());
    return switch (context.state().stop()) {
      case CLEAN -> FindingKind.BATCH_DAMAGED;
      case RUNNING -> isAtEnd ? FindingKind.TORN_TAIL : FindingKind.BATCH_DAMAGED;
      case UNKNOWN -> isAtEnd ? FindingKind.UNSOUND_TAIL : FindingKind.BATCH_DAMAGED;
      case CRASHED -> {
        if (!isOfCrash) {
          yield FindingKind.BATCH_DAMAGED;
        }
        yield isAtEnd ? FindingKind.TORN_TAIL : FindingKind.UNSYNCED_DAMAGE;
      }
    };
  }

  private void tellGaps(SegmentFacts segment) {
    OptionalLong first = segment.gaps().first();
    if (first.isPresent() && compaction != Compaction.SURELY) {
      segment.gaps().tell(log(segment), kindOfGap(first.getAsLong()), findings);
    }
  }

  /** What it is that offsets are missing from one on. */
  private FindingKind kindOfGap(long offset) {
    if (compaction == Compaction.PERHAPS) {
      return FindingKind.OFFSET_GAP;
    }
    return context.state().mayBeTornAt(context.partition(), offset)
        ? FindingKind.UNSYNCED_DAMAGE
        : FindingKind.OFFSETS_MISSING;
  }

  private boolean isGivenUp(long start, long end) throws IOException {
    try {
      return new LostOffsets(context.disk(), context.files().folder())
          .read().stream().anyMatch(range -> range.start() <= start && range.end() >= end);
    } catch (MalformedFileException nothingNoted) {
      return false;
    }
  }

  private void compareWithNext(SegmentFacts earlier, SegmentFacts segment) throws IOException {
    long end = earlier.nextOffset();
    boolean endsTorn = earlier.damage().stream().anyMatch(Stretch::isTail) || !earlier.isWhole();
    boolean isLost = wasThere(earlier);
    if (end > segment.baseOffset()) {
      findings.add(
          Finding.of(
                  FindingKind.OFFSETS_OVERLAP,
                  log(segment),
                  0,
                  "base offset " + segment.baseOffset(),
                  "%d or more, where the segment before it ends".formatted(end))
              .about(segment.baseOffset(), end));
    } else if (end < segment.baseOffset()
        && segment.baseOffset() > context.start()
        && !endsTorn
        && (isLost || compaction != Compaction.SURELY)) {
      findings.add(
          Finding.of(
                  isGivenUp(end, segment.baseOffset())
                      ? FindingKind.OFFSETS_GIVEN_UP
                      : isLost ? FindingKind.OFFSETS_MISSING : kindOfGap(end),
                  log(earlier),
                  context.files().sizeBytes(earlier.baseOffset(), SegmentFiles.LOG),
                  "a log that ends at offset " + end,
                  isLost
                      ? "%d or more, as its index has it; the next segment begins at %d"
                          .formatted(earlier.known().namedEnd().getAsLong(), segment.baseOffset())
                      : "%d, where the next segment begins".formatted(segment.baseOffset()))
              .about(
                  end,
                  compaction == Compaction.SURELY
                      ? earlier.known().namedEnd().getAsLong()
                      : segment.baseOffset()));
    }
    compareEpochs(earlier, segment);
  }

  /**
   * Whether an index that is complete names what is missing at the end of a log. While a broker is
   * at work it may be the index of a log that compaction has just replaced.
   */
  private boolean wasThere(SegmentFacts segment) {
    return segment.known().namedEnd().isPresent() && context.state().stop() != Stop.RUNNING;
  }

  private void compareEpochs(SegmentFacts earlier, SegmentFacts segment) {
    if (earlier.epochs().isEmpty() || segment.epochs().isEmpty()) {
      return;
    }
    int before = earlier.epochs().get(earlier.epochs().size() - 1).epoch();
    EpochStart first = segment.epochs().get(0);
    if (first.epoch() < before) {
      findings.add(
          Finding.of(
                  FindingKind.EPOCH_FALLS,
                  log(segment),
                  first.position(),
                  "leader epoch " + first.epoch(),
                  before + " or more, which the segment before it has")
              .about(first.offset(), first.offset() + 1));
    }
  }
}
