package io.tidelog.verify;

import io.tidelog.record.ControlType;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.TimestampType;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.file.Path;
import java.util.Optional;

/** Unpacks and checks every record of a batch whose CRC is right. For one thread. */
final class RecordsCheck implements AutoCloseable {
  private final Path log;
  private final FindingList findings;
  private final Optional<RecordCheck> contents;
  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final RecordCursor records = new RecordCursor(codecs);
  private NullKeys nullKeys = NullKeys.NONE;
  private long lastOffset;
  private long latest;
  private boolean areInOrder;

  /**
   * @param contents looks at keys and values, if their format is known
   */
  RecordsCheck(Path log, FindingList findings, Optional<RecordCheck> contents) {
    this.log = log;
    this.findings = findings;
    this.contents = contents;
  }

  void check(RecordBatch batch, int position) {
    lastOffset = batch.baseOffset() - 1;
    latest = Long.MIN_VALUE;
    areInOrder = true;
    try {
      records.open(batch, UnpackLimits.DEFAULT);
      while (records.next()) {
        checkRecord(batch, position);
      }
    } catch (InvalidBatchException malformed) {
      tell(FindingKind.RECORDS_MALFORMED, batch, position, malformed.getMessage(), "whole records");
      return;
    }
    checkTimes(batch, position);
  }

  private void checkRecord(RecordBatch batch, int position) {
    long offset = records.offset();
    if (areInOrder && (offset <= lastOffset || offset > batch.lastOffset())) {
      areInOrder = false;
      tell(
          FindingKind.RECORD_RULE,
          batch,
          position,
          "offset %d of record %d".formatted(offset, records.index()),
          "%d to %d".formatted(lastOffset + 1, batch.lastOffset()));
    }
    lastOffset = offset;
    latest = Math.max(latest, records.timestamp());
    if (batch.isControl()) {
      checkControl();
    } else if (!records.hasKey()) {
      nullKeys = nullKeys.plus(new NullKeys(1, position));
    }
    if (contents.isPresent() && !batch.isControl()) {
      checkContents(position, contents.get());
    }
  }

  private void checkControl() {
    ControlType type = ControlType.ofKey(records.key());
    if (type == ControlType.ABORT || type == ControlType.COMMIT) {
      EndTransaction.ofValue(records.value());
    }
  }

  private void checkContents(int position, RecordCheck check) {
    check
        .problem(records.key(), records.value())
        .ifPresent(
            problem ->
                findings.add(
                    Finding.of(
                            FindingKind.RECORD_CONTENTS,
                            log,
                            position,
                            "record " + records.index() + " of the batch: " + problem,
                            "a record of " + log.getParent().getFileName())
                        .about(records.offset(), records.offset() + 1)));
  }

  private void checkTimes(RecordBatch batch, int position) {
    if (batch.timestampType() != TimestampType.CREATE_TIME || batch.recordCount() == 0) {
      return;
    }
    if (latest != batch.maxTimestamp()) {
      tell(
          latest > batch.maxTimestamp() ? FindingKind.RECORD_RULE : FindingKind.HEADER_ODD,
          batch,
          position,
          "largest timestamp %d in the header".formatted(batch.maxTimestamp()),
          "%d, that of its records".formatted(latest));
    }
  }

  private void tell(
      FindingKind kind, RecordBatch batch, int position, String found, String expected) {
    findings.add(
        Finding.of(kind, log, position, found, expected)
            .about(batch.baseOffset(), batch.nextOffset()));
  }

  /** Those that there were so far. */
  NullKeys nullKeys() {
    return nullKeys;
  }

  @Override
  public void close() {
    codecs.close();
  }
}
