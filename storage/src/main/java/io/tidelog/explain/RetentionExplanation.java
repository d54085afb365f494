package io.tidelog.explain;

import io.tidelog.log.LogSettings;
import io.tidelog.log.LogView;
import io.tidelog.log.RetentionClock;
import io.tidelog.retention.Retention;
import io.tidelog.retention.Verdict;
import io.tidelog.retention.Verdict.Decider;
import io.tidelog.retention.Verdict.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When retention drops each segment of a log, and why, or why not. It asks {@link Retention}, which
 * makes the choice; all records are taken to be below the high watermark, as they are on one node.
 */
public final class RetentionExplanation {
  private final LogSettings settings;
  private final long nowMs;
  private final List<Verdict> verdicts;
  private final List<SegmentOnDisk> segments;

  /**
   * What is to be said of one segment.
   *
   * @param verdict what retention says, if all before it go
   * @param newest the record whose timestamp decides, if one does
   * @param goesAtMs when it goes, ms; {@link Verdict#NEVER} if no time lets it go
   * @param why the reasons, as sentences
   */
  public record Answer(
      Verdict verdict, Optional<SegmentOnDisk.Newest> newest, long goesAtMs, String why) {}

  private RetentionExplanation(PartitionOnDisk log, LogSettings settings, long nowMs)
      throws IOException {
    this.settings = settings;
    this.nowMs = nowMs;
    this.segments = log.segments();
    this.verdicts =
        Retention.verdicts(
            segments,
            new LogView.Offsets(log.start(), log.end(), log.end(), log.end()),
            settings,
            nowMs);
  }

  /** One answer for each segment, oldest first. */
  public static List<Answer> of(PartitionOnDisk log, LogSettings settings, long nowMs)
      throws IOException {
    return new RetentionExplanation(log, settings, nowMs).answers();
  }

  private List<Answer> answers() throws IOException {
    List<Answer> answers = new ArrayList<>();
    Optional<Answer> holding = Optional.empty();
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      long ownMs = verdict.isCondemned() ? nowMs : verdict.dueMs();
      Optional<SegmentOnDisk.Newest> newest =
          verdict.decider() == Decider.RECORD ? segments.get(i).newest() : Optional.empty();
      String why = why(verdict, newest) + growth(i);
      long goesAtMs = ownMs;
      if (holding.isPresent() && holding.get().goesAtMs > ownMs) {
        goesAtMs = holding.get().goesAtMs;
        why += waitsFor(holding.get());
      }
      Answer answer = new Answer(verdict, newest, goesAtMs, why);
      if (goesAtMs > nowMs && (holding.isEmpty() || goesAtMs > holding.get().goesAtMs)) {
        holding = Optional.of(answer);
      }
      answers.add(answer);
    }
    return answers;
  }

  private static String waitsFor(Answer holding) {
    return " Segments go from the oldest on, so it waits for segment %d%s."
        .formatted(
            holding.verdict.segment().baseOffset(),
            holding
                .newest
                .map(
                    newest -> ", whose newest record is dated " + Spoken.time(newest.timestampMs()))
                .orElse(""));
  }

  private String why(Verdict verdict, Optional<SegmentOnDisk.Newest> newest) {
    return switch (verdict.reason()) {
      case START_OFFSET -> "It goes: all of it lies below the log start offset.";
      case SIZE ->
          "It goes: without it the log still has the %d bytes of retention.bytes."
              .formatted(settings.retentionBytes());
      case TIME ->
          "It goes: %s, more than retention.ms (%s).".formatted(age(verdict, newest), limit());
      case YOUNG -> young(verdict, newest);
      case NO_TIME_LIMIT -> "It stays: retention.ms is -1, so that no age lets it go.";
      case NOT_DELETED_BY_POLICY ->
          "It stays: cleanup.policy is %s, so that only compaction and DeleteRecords remove records."
              .formatted(settings.values().get("cleanup.policy"));
      case ABOVE_HIGH_WATERMARK -> "It stays: not all of it lies below the high watermark.";
      case EMPTY -> "It stays: it is the one that is written to, and has no records.";
    };
  }

  private String young(Verdict verdict, Optional<SegmentOnDisk.Newest> newest) {
    String due =
        verdict.dueMs() == Verdict.NEVER
            ? "no time will ever be late enough"
            : "its time comes %s, %s"
                .formatted(Spoken.time(verdict.dueMs()), Spoken.distance(nowMs, verdict.dueMs()));
    return "It stays: %s; with retention.ms (%s) %s.".formatted(age(verdict, newest), limit(), due);
  }

  private String age(Verdict verdict, Optional<SegmentOnDisk.Newest> newest) {
    String when =
        "%s, %s"
            .formatted(
                Spoken.time(verdict.decidingMs()), Spoken.distance(nowMs, verdict.decidingMs()));
    if (newest.isEmpty()) {
      return "its file was last written %s (%s)"
          .formatted(
              when,
              settings.retentionClock() == RetentionClock.APPEND
                  ? "tidelog.retention.clock is append"
                  : "its records have no timestamp");
    }
    return "its newest record, offset %d in the batch at byte %d, is dated %s%s"
        .formatted(
            newest.get().offset(),
            newest.get().position(),
            when,
            verdict.decidingMs() > nowMs ? ", in the future" : "");
  }

  private String limit() {
    return Spoken.span(settings.retentionMs());
  }

  /** A larger log lets a segment go by size. */
  private String growth(int index) {
    Reason reason = verdicts.get(index).reason();
    if (settings.retentionBytes() < 0
        || (reason != Reason.YOUNG && reason != Reason.NO_TIME_LIMIT)) {
      return "";
    }
    long after = 0;
    for (SegmentOnDisk later : segments.subList(index + 1, segments.size())) {
      after += later.sizeBytes();
    }
    return " It goes by size once %d more bytes are written (retention.bytes is %d)."
        .formatted(settings.retentionBytes() - after, settings.retentionBytes());
  }
}
