package io.tidelog.verify;

import io.tidelog.record.RecordBatch;
import java.io.IOException;

/**
 * Compares a time index with the batches of its log, both from the first to the last. An entry
 * says: this batch is the first one with this timestamp, and none before it has a larger one.
 */
final class TimeIndexCheck {
  private final IndexEntries entries;
  private final FindingList findings;
  private long latest = RecordBatch.NO_TIMESTAMP;
  private long latestAt;
  private long latestEntry = RecordBatch.NO_TIMESTAMP;
  private long latestIndexed = RecordBatch.NO_TIMESTAMP;
  private long latestIndexedAt;

  TimeIndexCheck(IndexEntries entries, FindingList findings) {
    this.entries = entries;
    this.findings = findings;
  }

  /** The next batch of the log. */
  void add(BatchFacts batch) throws IOException {
    while (entries.hasEntry() && entries.offset() < batch.baseOffset()) {
      wrong("offset " + entries.offset(), "the last one of a batch");
      takeEntry();
    }
    while (entries.hasEntry() && entries.offset() <= batch.lastOffset()) {
      compare(batch);
      takeEntry();
    }
    if (batch.maxTimestamp() > latest) {
      latest = batch.maxTimestamp();
      latestAt = batch.lastOffset();
    }
  }

  private void compare(BatchFacts batch) {
    if (isPadding(batch)) {
      return;
    }
    if (entries.timestamp() != batch.maxTimestamp()) {
      wrong(
          "timestamp %d for offset %d".formatted(entries.timestamp(), entries.offset()),
          "%d, the largest of that batch".formatted(batch.maxTimestamp()));
    } else if (latest >= entries.timestamp()) {
      wrong(
          "timestamp %d for offset %d".formatted(entries.timestamp(), entries.offset()),
          "more than %d, which offset %d before it has".formatted(latest, latestAt));
    } else if (entries.offset() != batch.lastOffset()) {
      findings.add(
          Finding.of(
              FindingKind.INDEX_VARIANT,
              entries.path(),
              entries.position(),
              "offset " + entries.offset(),
              "%d, the last one of its batch".formatted(batch.lastOffset())));
    }
  }

  /** An entry of zeros is none, though it may be the only one. */
  private boolean isPadding(BatchFacts batch) {
    return entries.timestamp() == 0 && batch.position() == 0 && batch.maxTimestamp() != 0;
  }

  private void takeEntry() throws IOException {
    latestEntry = Math.max(latestEntry, entries.timestamp());
    entries.advance();
  }

  /** These offsets of the log are damaged: what entries say of them cannot be judged. */
  void passOver(Stretch damage) throws IOException {
    long end = damage.isTail() ? Long.MAX_VALUE : damage.nextOffset();
    while (entries.hasEntry() && entries.offset() < end) {
      if (entries.offset() < damage.offset()) {
        wrong("offset " + entries.offset(), "the last one of a batch");
      }
      latest = Math.max(latest, entries.timestamp());
      takeEntry();
    }
  }

  /** The log ends before an offset. Entries past it are one finding, however many. */
  void end(long nextOffset) {
    if (entries.hasEntry()) {
      wrong("offset " + entries.offset(), "one before the log's end, " + nextOffset);
      entries.end();
    }
  }

  /** The batch at hand has an entry in the offset index: both indexes got one at that time. */
  void markIndexed() {
    latestIndexed = latest;
    latestIndexedAt = latestAt;
  }

  /**
   * Tells whether the largest timestamp is missing, which has an entry where the log was closed.
   */
  void requireComplete() {
    require(latest, latestAt);
  }

  /**
   * Tells whether a timestamp is missing that was noted together with an offset. Of the metadata
   * log Kafka promises no more: it closes that one without the last entry.
   */
  void requireIndexed() {
    require(latestIndexed, latestIndexedAt);
  }

  private void require(long timestamp, long offset) {
    if (!entries.isCutShort() && timestamp > Math.max(latestEntry, 0)) {
      findings.add(
          Finding.of(
              FindingKind.TIME_INDEX_INCOMPLETE,
              entries.path(),
              entries.position(),
              latestEntry <= 0 ? "no timestamp" : "timestamp %d last".formatted(latestEntry),
              "%d, which offset %d has".formatted(timestamp, offset)));
    }
  }

  private void wrong(String found, String expected) {
    findings.add(
        Finding.of(
            FindingKind.TIME_INDEX_WRONG,
            entries.path(),
            entries.position(),
            "entry %d: %s".formatted(entries.index(), found),
            expected));
  }
}
