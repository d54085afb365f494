package io.tidelog.log;

import io.tidelog.producer.OffsetRange;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** How a log is cut. Used under the flusher's lock and the log's. */
final class Truncation {
  private final LogSurroundings around;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final SegmentDisposal disposal;

  Truncation(
      LogSurroundings around,
      LeaderEpochs epochs,
      LogProducers producers,
      SegmentDisposal disposal) {
    this.around = around;
    this.epochs = epochs;
    this.producers = producers;
    this.disposal = disposal;
  }

  /**
   * Cuts a log at the batch boundary at or before an offset.
   *
   * @throws OffsetOutOfRangeException below the start offset
   */
  void cut(long offset, LogWriter writer, PartitionLog self) throws IOException {
    LogView before = writer.view();
    if (offset < before.start()) {
      throw writer.outOfRange(offset, before.end());
    }
    if (offset >= before.end()) {
      return;
    }
    Plan plan = planned(before, offset);
    LogView cut = plan.cut();
    writer.flusher().cutTo(cut.end(), cut.active().baseOffset());
    around.host().saveRecoveryPoint(self);
    around.host().cutting(self, cut.end());
    writer.publish(cut);
    try {
      Segment[] left = carryOut(before, cut, writer.settings());
      writer.publish(writer.viewOf(left, cut.start(), cut.highWatermark(), cut.end()));
      if (plan.fileEnd() < cut.end()) {
        writer.roll(); // what was deleted is not numbered again
      }
    } catch (IOException e) {
      writer.fail(e);
      throw e;
    }
  }

  /**
   * What is left of a view.
   *
   * @param fileEnd where its last batch ends: below the start, if that lies inside of the first
   *     batch that is cut
   */
  private record Plan(LogView cut, long fileEnd) {
    static Plan of(LogView before, int last, int position, long boundary) {
      return new Plan(before.cutAt(last, position, Math.max(boundary, before.start())), boundary);
    }
  }

  /** What is left of a view that ends at the batch boundary at or before an offset. */
  private static Plan planned(LogView before, long offset) throws IOException {
    int last = before.floor(offset);
    Segment active = before.segment(last);
    int published = before.publishedBytes(last);
    try {
      int position = active.batches().positionOf(offset, before.extent(last));
      long boundary =
          position == published ? offset : Math.min(offset, active.batchAt(position).baseOffset());
      if (active.batches().damage().isEmpty()) { // what compaction took out in front goes too
        boundary = Math.min(boundary, active.batches().endByHeaders(position));
      }
      return Plan.of(before, last, position, boundary);
    } catch (LostOffsetsException lost) {
      LogPart part = lost.stretch().part();
      return Plan.of(before, last, part.from(), part.firstOffset());
    }
  }

  /**
   * Makes files, epochs and producers agree with a view that was cut. Each step is durable before
   * the next: after a crash nothing that was cut may stand behind what is appended from here on.
   *
   * @return the segments that are left, the last of which was opened anew
   */
  private Segment[] carryOut(LogView before, LogView cut, LogSettings settings) throws IOException {
    disposal.setAside(
        List.of(Arrays.copyOfRange(before.segments(), cut.segmentCount(), before.segmentCount())),
        SegmentDisposal.Order.NEWEST_FIRST,
        settings.fileDeleteDelayMs());
    Segment old = cut.active();
    old.retire();
    Segment reopened =
        Segment.openActive(around.segmentSetting(before.directory(), settings), old.baseOffset());
    try {
      reopened.truncateTo(cut.publishedBytes(cut.segmentCount() - 1));
      reopened.aborted().truncateTo(cut.end());
      reopened.syncLog();
      epochs.truncateTo(cut.end(), cut.start());
      epochs.save();
      Segment[] left = cut.segments().clone();
      left[left.length - 1] = reopened;
      producers.restore(
          List.of(left),
          new OffsetRange(cut.start(), cut.end()),
          settings.producerCutoffMs(around.clock().millis()),
          around.host()::repaired);
      around.disk().syncDirectory(before.directory());
      old.unpin();
      return left;
    } catch (IOException e) {
      reopened.unpin();
      throw e;
    }
  }
}
