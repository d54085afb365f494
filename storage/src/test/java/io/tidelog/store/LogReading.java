package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.OffsetOutOfRangeException;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Everybody who reads a log, and what they must find by its model. */
final class LogReading {
  private static final int READ_BYTES = 500;

  private final LogAndModel both;
  private final ModelLog model;
  private final CommittedReader client;

  LogReading(LogAndModel both, ModelLog model, CommittedReader client) {
    this.both = both;
    this.model = model;
    this.client = client;
  }

  private PartitionLog log() throws IOException {
    return both.log();
  }

  private long someOffset(int at) {
    return model.start() + at % (model.end() - model.start() + 2);
  }

  /** A read at any offset, one past the end included. */
  void read(int at, int maxBytes) throws IOException {
    long offset = someOffset(at);
    if (offset > model.end()) {
      assertThatThrownBy(() -> log().read(offset, maxBytes, ReadUpTo.LOG_END))
          .isInstanceOf(OffsetOutOfRangeException.class);
      return;
    }
    List<Lab.Entry> found = new ArrayList<>();
    long next = Lab.addEntries(Lab.bytesAt(log(), offset, maxBytes), offset, found);
    movesOn(offset, next, model.end());
    List<Lab.Entry> expected =
        model.entries().stream()
            .filter(entry -> entry.offset() >= offset && entry.offset() < next)
            .toList();
    assertThat(withoutMarkers(found)).isEqualTo(expected);
  }

  /** A read moves on, unless compaction left nothing up to where it may go. */
  private void movesOn(long offset, long next, long limit) {
    if (next > offset) {
      assertThat(offset).isLessThan(limit);
    } else {
      assertThat(model.values(offset, limit)).as("what a read at %d passed over", offset).isEmpty();
    }
  }

  /** All records, without markers. */
  List<Lab.Entry> records() throws IOException {
    return withoutMarkers(Lab.entries(log(), READ_BYTES));
  }

  private List<Lab.Entry> withoutMarkers(List<Lab.Entry> found) {
    return found.stream().filter(entry -> !model.at(entry.offset()).isMarker()).toList();
  }

  /** A read of committed records at any offset, and one of all that are replicated. */
  void readCommitted(int at, int maxBytes) throws IOException {
    long highWatermark = log().view().highWatermark();
    long offset = model.start() + at % (model.end() - model.start() + 1);
    if (offset <= highWatermark) {
      readCommitted(offset, maxBytes, highWatermark);
    }
  }

  private void readCommitted(long offset, int maxBytes, long highWatermark) throws IOException {
    long stable = log().view().stable();
    CommittedReader.Got committed =
        client.fetch(log(), offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
    assertThat(committed.records())
        .as("committed records in %d bytes from %d", maxBytes, offset)
        .isEqualTo(model.committed(offset, Math.min(committed.next(), stable)));
    movesOn(offset, committed.next(), stable);
    CommittedReader.Got all = client.fetch(log(), offset, maxBytes, ReadUpTo.HIGH_WATERMARK);
    assertThat(all.records())
        .as("records in %d bytes from %d", maxBytes, offset)
        .isEqualTo(model.values(offset, all.next()));
    movesOn(offset, all.next(), highWatermark);
  }

  /** The first offset with so late a time, and the one with the latest, as a look at all tells. */
  void searchTime(long timestampMs) throws IOException {
    List<Lab.Entry> all = Lab.entries(log(), READ_BYTES);
    assertThat(log().offsetAtTime(timestampMs, ReadUpTo.LOG_END))
        .isEqualTo(atTime(all, timestampMs));
    long latest = all.stream().mapToLong(Lab.Entry::timestampMs).max().orElse(Long.MAX_VALUE);
    assertThat(log().offsetOfMaxTimestamp()).isEqualTo(atTime(all, latest));
  }

  private OffsetAtTime atTime(List<Lab.Entry> all, long timestampMs) {
    return all.stream()
        .filter(entry -> entry.timestampMs() >= timestampMs)
        .findFirst()
        .map(e -> new OffsetAtTime(e.offset(), e.timestampMs(), model.at(e.offset()).epoch()))
        .orElse(OffsetAtTime.NONE);
  }

  void offsetsAgree() throws IOException {
    assertThat(log().view().start()).isEqualTo(model.start());
    assertThat(log().view().end()).isEqualTo(model.end());
    assertThat(log().view().highWatermark()).isLessThanOrEqualTo(model.end());
    assertThat(log().recoveryPoint()).isLessThanOrEqualTo(model.end());
    assertThat(model.stable(log().view().highWatermark())).contains(log().view().stable());
  }

  /** Every record, every epoch, and from every offset what a client of committed records sees. */
  void allAgrees() throws IOException {
    offsetsAgree();
    assertThat(records()).isEqualTo(model.entries());
    for (Lab.Entry entry : model.entries()) {
      assertThat(log().epochAt(entry.offset()))
          .as("epoch at %d", entry.offset())
          .isEqualTo(model.at(entry.offset()).epoch());
    }
    long highWatermark = log().view().highWatermark();
    for (long offset : LongStream.rangeClosed(model.start(), highWatermark).toArray()) {
      readCommitted(offset, 300, highWatermark);
    }
    FullScan.of(both.disk(), log().directory()).agreesWith(log());
  }
}
