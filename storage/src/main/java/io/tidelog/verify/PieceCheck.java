package io.tidelog.verify;

import io.tidelog.record.RecordBatch;
import io.tidelog.verify.SegmentFacts.Traits;
import io.tidelog.verify.VerifyOptions.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the batches of a piece of a log, each by itself. For one thread. */
final class PieceCheck {
  /** A piece of very small batches is left at so many. */
  private static final int MOST_BATCHES = 1 << 16;

  private final BatchScan scan;
  private final boolean isDeep;
  private final FindingList findings = new FindingList();
  private final List<BatchFacts> batches = new ArrayList<>();
  private final HeaderCheck headers;
  private final Path log;
  private final Optional<RecordCheck> contents;
  private boolean hasProducers;

  PieceCheck(PartitionContext context, Path log, BatchScan scan) {
    this.scan = scan;
    this.log = log;
    this.isDeep = context.options().depth() == Depth.DEEP;
    this.headers = new HeaderCheck(log, findings);
    this.contents =
        isDeep ? context.options().records().of(context.partition().topic()) : Optional.empty();
  }

  /**
   * Checks the batches that begin between two positions, as long as one follows another.
   *
   * @param from where a batch should begin
   */
  PieceFacts run(int from, int to) throws IOException {
    scan.goOnAt(from);
    try (RecordsCheck records = new RecordsCheck(log, findings, contents)) {
      boolean isBatch = true;
      while (scan.end() < to && batches.size() < MOST_BATCHES && isBatch) {
        isBatch = scan.nextBatch();
        if (isBatch) {
          check(records);
        }
      }
      return new PieceFacts(
          scan.end(),
          !isBatch,
          batches,
          new Traits(headers.isCompacted(), hasProducers),
          records.nullKeys(),
          findings);
    }
  }

  private void check(RecordsCheck records) throws IOException {
    RecordBatch batch = scan.batch();
    hasProducers |= batch.hasProducerId();
    headers.check(batch, scan.position());
    batches.add(BatchFacts.of(batch, scan.position()));
    if (isDeep) {
      records.check(scan.whole(), scan.position());
    }
  }
}
