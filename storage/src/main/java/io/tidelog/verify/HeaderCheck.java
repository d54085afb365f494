package io.tidelog.verify;

import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import java.nio.file.Path;

/** Whether the header of a batch, whose CRC is right, keeps the rules of the format. */
final class HeaderCheck {
  private static final int UNUSED_ATTRIBUTES = 0xff80;

  private final Path log;
  private final FindingList findings;
  private boolean isCompacted;

  HeaderCheck(Path log, FindingList findings) {
    this.log = log;
    this.findings = findings;
  }

  /** Whether some batch has lost records to compaction. */
  boolean isCompacted() {
    return isCompacted;
  }

  void check(RecordBatch batch, int position) {
    isCompacted |= batch.hasDeleteHorizon() || batch.recordCount() <= batch.lastOffsetDelta();
    require(batch, position, "record count", batch.recordCount(), batch.lastOffsetDelta() + 1L);
    if (!Compression.isKnown(batch.compressionCode())) {
      tell(
          FindingKind.HEADER_RULE,
          batch,
          position,
          "compression " + batch.compressionCode(),
          "0 to 4");
    }
    if ((batch.attributes() & UNUSED_ATTRIBUTES) != 0) {
      tell(
          FindingKind.HEADER_ODD,
          batch,
          position,
          "attributes 0x%04x".formatted(batch.attributes() & 0xffff),
          "bits 7 to 15 unset");
    }
    if (batch.maxTimestamp() < RecordBatch.NO_TIMESTAMP) {
      tell(
          FindingKind.HEADER_ODD,
          batch,
          position,
          "largest timestamp " + batch.maxTimestamp(),
          "-1 or more");
    }
    checkProducer(batch, position);
  }

  private void require(RecordBatch batch, int position, String what, long found, long most) {
    if (found < 0 || found > most) {
      tell(FindingKind.HEADER_RULE, batch, position, what + " " + found, "0 to " + most);
    }
  }

  private void checkProducer(RecordBatch batch, int position) {
    if (batch.producerId() < RecordBatch.NO_PRODUCER_ID) {
      tell(
          FindingKind.HEADER_RULE,
          batch,
          position,
          "producer id " + batch.producerId(),
          "-1 or more");
    } else if (!batch.hasProducerId()) {
      if (batch.isTransactional()) {
        tell(FindingKind.HEADER_ODD, batch, position, "a transaction without a producer id", "one");
      }
    } else if (batch.producerEpoch() < 0) {
      tell(
          FindingKind.HEADER_RULE,
          batch,
          position,
          "producer epoch " + batch.producerEpoch(),
          "0 or more");
    } else if (!batch.isControl() && batch.baseSequence() < 0) {
      tell(
          FindingKind.HEADER_RULE,
          batch,
          position,
          "sequence number " + batch.baseSequence(),
          "0 or more");
    }
  }

  private void tell(
      FindingKind kind, RecordBatch batch, int position, String found, String expected) {
    findings.add(
        Finding.of(kind, log, position, found, expected)
            .about(batch.baseOffset(), batch.nextOffset()));
  }
}
