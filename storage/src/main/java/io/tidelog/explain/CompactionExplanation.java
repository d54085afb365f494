package io.tidelog.explain;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.compaction.CompactionPlan;
import io.tidelog.compaction.CompactionPlan.Limit;
import io.tidelog.log.CompactionSettings;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogView;
import io.tidelog.segment.DamagedStretch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether it is time to compact a log, why or why not, and what each segment still has to lose. It
 * asks {@link CompactionPlan}, which makes the choice; all records are taken to be below the high
 * watermark, as they are on one node.
 */
public final class CompactionExplanation {
  private final PartitionOnDisk log;
  private final LogSettings settings;
  private final long nowMs;
  private final CompactionPlan plan;

  /** Where a segment stands. */
  public enum State {
    /** All of it lies below the first dirty offset. */
    CLEAN,
    /** It is compacted with the next run. */
    DIRTY,
    /** It has to stay as it is. */
    STAYS
  }

  /**
   * What is to be said of a log.
   *
   * @param plan what the next run would do, and why
   * @param notBeforeMs when that is, or may be the earliest; empty if no time tells
   * @param damage what a run would stop at
   * @param isComplete whether all keys could be held, so that nothing more goes than is counted
   * @param why the reasons, as sentences
   * @param segments oldest first
   */
  public record Answer(
      CompactionPlan plan,
      OptionalLong notBeforeMs,
      Optional<DamagedStretch> damage,
      boolean isComplete,
      String why,
      List<OfSegment> segments) {}

  /**
   * What is to be said of one segment.
   *
   * @param contents what it still has to lose; empty if it stays as it is
   * @param why as sentences
   */
  public record OfSegment(
      SegmentOnDisk segment,
      long endOffset,
      State state,
      Optional<Contents> contents,
      String why) {}

  /**
   * What a segment holds.
   *
   * @param records data records
   * @param goes of these a run would take away now
   * @param tombstones of those that it would keep
   * @param markers of transactions
   * @param firstHorizonMs when the first of the tombstones and markers may go; empty if none has a
   *     delete horizon yet
   * @param lastHorizonMs when the last one may
   */
  public record Contents(
      long records,
      long goes,
      long tombstones,
      long markers,
      OptionalLong firstHorizonMs,
      OptionalLong lastHorizonMs) {}

  private CompactionExplanation(
      PartitionOnDisk log, LogSettings settings, CompactionPlan plan, long nowMs) {
    this.log = log;
    this.settings = settings;
    this.plan = plan;
    this.nowMs = nowMs;
  }

  /** Looks at a log and at its line in {@code cleaner-offset-checkpoint}. */
  public static Answer of(PartitionOnDisk log, LogSettings settings, long nowMs)
      throws IOException {
    Long checkpoint =
        new OffsetCheckpoint(log.disk(), log.directory().getParent(), OffsetCheckpoint.Kind.CLEANER)
            .read()
            .get(log.partition());
    long stable =
        OpenTransactions.of(log).stream()
            .mapToLong(OpenTransactions.Open::firstOffset)
            .findFirst()
            .orElse(log.end());
    CompactionPlan plan =
        CompactionPlan.of(
            log.segments(),
            new LogView.Offsets(log.start(), stable, log.end(), log.end()),
            settings,
            checkpoint == null ? OptionalLong.empty() : OptionalLong.of(checkpoint),
            nowMs);
    return new CompactionExplanation(log, settings, plan, nowMs).answer();
  }

  private CompactionSettings lags() {
    return settings.compaction();
  }

  private Answer answer() throws IOException {
    List<SegmentOnDisk> all = log.segments();
    int copied = 0;
    while (copied < all.size() && all.get(copied).baseOffset() < plan.firstUncleanableOffset()) {
      copied++;
    }
    RecordsToGo records =
        RecordsToGo.of(
            log,
            new RecordsToGo.Range(
                all.subList(0, copied), plan.firstDirtyOffset(), plan.firstUncleanableOffset()),
            nowMs);
    List<OfSegment> segments = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      segments.add(i < copied ? copied(i, records.in(all.get(i))) : staying(i));
    }
    Optional<DamagedStretch> damage = Optional.ofNullable(records.damage());
    return new Answer(
        plan, notBefore(), damage, records.isComplete(), why() + stops(damage), segments);
  }

  private OfSegment staying(int index) throws IOException {
    return new OfSegment(
        log.segments().get(index),
        log.endOf(index),
        State.STAYS,
        Optional.empty(),
        index + 1 == log.segments().size()
            ? "It stays as it is: it is still written to."
            : "It stays as it is: " + limit() + ".");
  }

  private OfSegment copied(int index, RecordsToGo.Count count) throws IOException {
    boolean isClean = log.endOf(index) <= plan.firstDirtyOffset();
    return new OfSegment(
        log.segments().get(index),
        log.endOf(index),
        isClean ? State.CLEAN : State.DIRTY,
        Optional.of(
            new Contents(
                count.records(),
                count.goes(),
                count.tombstones(),
                count.markers(),
                time(count.firstHorizonMs()),
                time(count.lastHorizonMs()))),
        contents(count));
  }

  private static OptionalLong time(long ms) {
    return ms == RecordsToGo.Count.NO_TIME ? OptionalLong.empty() : OptionalLong.of(ms);
  }

  private String contents(RecordsToGo.Count count) {
    String why = "%d of %d records go with the next run.".formatted(count.goes(), count.records());
    if (count.firstHorizonMs() != RecordsToGo.Count.NO_TIME) {
      why +=
          " Tombstones and markers that stay go with a run after %s (%s)."
              .formatted(
                  Spoken.time(count.lastHorizonMs()),
                  Spoken.distance(nowMs, count.lastHorizonMs()));
    }
    if (count.undated() > 0) {
      why +=
          " %d tombstones and markers have no delete horizon yet: one that a run has to give them is delete.retention.ms (%s) later."
              .formatted(count.undated(), Spoken.span(lags().deleteRetentionMs()));
    }
    return why;
  }

  private String why() throws IOException {
    String verdict =
        switch (plan.verdict()) {
          case NOT_COMPACTED ->
              "It is not compacted: cleanup.policy is %s."
                  .formatted(settings.values().get("cleanup.policy"));
          case NOTHING_DIRTY -> "Nothing is dirty that may be compacted.";
          case DUE_BY_RATIO ->
              "It is due: %s, more than min.cleanable.dirty.ratio (%s)."
                  .formatted(share(), lags().minDirtyRatio());
          case DUE_BY_AGE ->
              "It is due: a dirty record is past max.compaction.lag.ms (%s) by %s."
                  .formatted(Spoken.span(lags().maxLagMs()), Spoken.span(plan.overdueMs()));
          case NOT_DIRTY_ENOUGH ->
              "It waits: %s, not more than min.cleanable.dirty.ratio (%s)%s"
                  .formatted(share(), lags().minDirtyRatio(), missing());
        };
    return verdict
        + " Segment %d stays as it is: %s.".formatted(plan.firstUncleanableOffset(), limit());
  }

  private String share() {
    return "%d of %d bytes below offset %d are dirty, a share of %s"
        .formatted(
            plan.dirtyBytes(),
            plan.dirtyBytes() + plan.cleanBytes(),
            plan.firstUncleanableOffset(),
            String.format(Locale.ROOT, "%.3f", plan.dirtyRatio()));
  }

  /** What makes a log due that is not dirty enough. */
  private String missing() throws IOException {
    double ratio = lags().minDirtyRatio();
    String bytes =
        ratio < 1
            ? "; %d more dirty bytes in closed segments make it due"
                .formatted(
                    (long)
                            ((ratio * (plan.cleanBytes() + plan.dirtyBytes()) - plan.dirtyBytes())
                                / (1 - ratio))
                        + 1)
            : "";
    OptionalLong overdueAtMs = overdueAt();
    return overdueAtMs.isEmpty()
        ? bytes + "."
        : "%s, and max.compaction.lag.ms (%s) does at %s, %s."
            .formatted(
                bytes,
                Spoken.span(lags().maxLagMs()),
                Spoken.time(overdueAtMs.getAsLong()),
                Spoken.distance(nowMs, overdueAtMs.getAsLong()));
  }

  private OptionalLong notBefore() throws IOException {
    return switch (plan.verdict()) {
      case DUE_BY_RATIO, DUE_BY_AGE -> OptionalLong.of(nowMs);
      case NOT_COMPACTED -> OptionalLong.empty();
      case NOT_DIRTY_ENOUGH -> overdueAt();
      case NOTHING_DIRTY ->
          plan.limit() == Limit.MIN_COMPACTION_LAG
              ? OptionalLong.of(oldEnoughAt())
              : OptionalLong.empty();
    };
  }

  /** When the first dirty record is too old to stay as it is. */
  private OptionalLong overdueAt() throws IOException {
    if (lags().maxLagMs() == Long.MAX_VALUE) {
      return OptionalLong.empty();
    }
    long firstMs = Long.MAX_VALUE;
    for (int i = log.floor(plan.firstDirtyOffset()); i < log.segments().size() - 1; i++) {
      long segmentMs = log.segments().get(i).firstTimestamp();
      firstMs = segmentMs > 0 ? Math.min(firstMs, segmentMs) : firstMs;
    }
    return firstMs == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(firstMs + lags().maxLagMs() + 1);
  }

  /** When the segment that is too young may be compacted. */
  private long oldEnoughAt() throws IOException {
    return log.segments().get(log.floor(plan.firstUncleanableOffset())).maxTimestamp()
        + lags().minLagMs();
  }

  private String limit() throws IOException {
    return switch (plan.limit()) {
      case ACTIVE_SEGMENT ->
          "it is still written to, until %d more bytes reach segment.bytes or segment.ms (%s) is over"
              .formatted(
                  Math.max(0, settings.segmentBytes() - log.active().sizeBytes()),
                  Spoken.span(settings.segmentMs()));
      case LAST_STABLE_OFFSET ->
          "a transaction is open that begins in it or before (tidelog explain lso %s)"
              .formatted(log.partition());
      case HIGH_WATERMARK -> "not all of it is acknowledged";
      case MIN_COMPACTION_LAG ->
          "its newest record is younger than min.compaction.lag.ms (%s) until %s, %s"
              .formatted(
                  Spoken.span(lags().minLagMs()),
                  Spoken.time(oldEnoughAt()),
                  Spoken.distance(nowMs, oldEnoughAt()));
    };
  }

  private static String stops(Optional<DamagedStretch> damage) {
    return damage
        .map(
            found ->
                " A run stops at damage, and the log is then left alone until it is repaired: "
                    + found
                    + ".")
        .orElse("");
  }
}
