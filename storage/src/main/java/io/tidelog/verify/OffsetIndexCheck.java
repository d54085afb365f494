package io.tidelog.verify;

import io.tidelog.verify.BatchScan.OffsetLimits;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares an offset index with the batches of its log, both from the first to the last.
 *
 * <p>An entry names the last offset of the batch at its position; Kafka before 4.0 could name the
 * last one of a later batch, if several were appended in one go.
 */
final class OffsetIndexCheck {
  private final IndexEntries entries;
  private final FindingList findings;
  private final long baseOffset;
  private final int intervalBytes;
  private Later later;
  private int lastIndexed;
  private int lastEntryFor;
  private Optional<Integer> sparseAt = Optional.empty();

  /**
   * An entry that names an offset after the batch at its position.
   *
   * @param at where it stands in the index
   * @param offset what it names
   * @param expected what it would name today
   */
  private record Later(long at, long offset, long expected) {}

  /**
   * @param baseOffset of the segment
   * @param intervalBytes bytes of log per entry
   */
  OffsetIndexCheck(IndexEntries entries, FindingList findings, long baseOffset, int intervalBytes) {
    this.entries = entries;
    this.findings = findings;
    this.baseOffset = baseOffset;
    this.intervalBytes = intervalBytes;
  }

  /** The next batch of the log. */
  void add(BatchFacts batch) throws IOException {
    while (entries.hasEntry() && entries.logPosition() < batch.position()) {
      wrong("position " + entries.logPosition(), "one at which a batch starts");
      entries.advance();
    }
    if (entries.hasEntry() && entries.logPosition() == batch.position()) {
      compare(batch);
      entries.advance();
    } else {
      resolve(batch);
      if (batch.position() - (long) lastIndexed > 2L * intervalBytes && sparseAt.isEmpty()) {
        sparseAt = Optional.of(batch.position());
      }
    }
  }

  /** Whether the last entry so far is that of this batch, which is not the first one. */
  boolean isLastIndexed(BatchFacts batch) {
    return lastEntryFor > 0 && lastEntryFor == batch.position();
  }

  private void compare(BatchFacts batch) {
    refuseLater();
    lastIndexed = batch.position();
    lastEntryFor = lastIndexed;
    if (entries.offset() > batch.lastOffset()) {
      later = new Later(entries.position(), entries.offset(), batch.lastOffset());
    } else if (entries.offset() != batch.lastOffset() && !isFirst(batch)) {
      wrong(
          "offset %d at position %d".formatted(entries.offset(), batch.position()),
          "%d, the last one of that batch".formatted(batch.lastOffset()));
    }
  }

  /** An entry of zeros is none, though it may be the only one. */
  private boolean isFirst(BatchFacts batch) {
    return batch.position() == 0 && entries.offset() == baseOffset;
  }

  private void resolve(BatchFacts batch) {
    if (later == null || batch.lastOffset() < later.offset) {
      return;
    }
    if (batch.lastOffset() > later.offset) {
      refuseLater();
      return;
    }
    findings.add(
        Finding.of(
            FindingKind.INDEX_VARIANT,
            entries.path(),
            later.at,
            "offset " + later.offset,
            "%d, the last one of the batch at its position".formatted(later.expected)));
    later = null;
  }

  private void refuseLater() {
    if (later != null) {
      findings.add(
          Finding.of(
              FindingKind.INDEX_WRONG,
              entries.path(),
              later.at,
              "entry %d: offset %d".formatted(later.at / entries.entryBytes(), later.offset),
              "%d, the last one of the batch at its position".formatted(later.expected)));
      later = null;
    }
  }

  /** These bytes of the log are damaged: what entries say of them cannot be judged. */
  void passOver(Stretch damage) throws IOException {
    later = null;
    while (entries.hasEntry() && entries.logPosition() < damage.position()) {
      wrong("position " + entries.logPosition(), "one at which a batch starts");
      entries.advance();
    }
    while (entries.hasEntry() && entries.logPosition() < damage.end()) {
      entries.advance();
    }
    lastIndexed = damage.end();
  }

  /**
   * The log ends. Entries past its end are one finding, however many.
   *
   * @param missing offsets that may be missing at its end
   * @return one more than the last of these that an entry names
   */
  OptionalLong end(int logBytes, OffsetLimits missing) throws IOException {
    refuseLater();
    OptionalLong named = OptionalLong.empty();
    if (entries.hasEntry()) {
      wrong(
          "position " + entries.logPosition(), "one within the log's %d bytes".formatted(logBytes));
    }
    while (entries.hasEntry() && missing.contains(entries.offset())) {
      named = OptionalLong.of(entries.offset() + 1);
      entries.advance();
    }
    if (entries.hasEntry()) {
      entries.end();
    }
    return named;
  }

  /** Tells what is missing, in the index of a segment that gets no more entries. */
  void requireComplete() {
    if (entries.isCutShort()) {
      return;
    }
    sparseAt.ifPresent(
        position ->
            findings.add(
                Finding.of(
                    entries.count() == 0 ? FindingKind.INDEX_EMPTY : FindingKind.INDEX_SPARSE,
                    entries.path(),
                    entries.count() == 0 ? 0 : entries.position(),
                    entries.count() == 0
                        ? "no entry"
                        : "no entry for the batch at position " + position,
                    "one in about %d bytes of log".formatted(intervalBytes))));
  }

  private void wrong(String found, String expected) {
    findings.add(
        Finding.of(
            FindingKind.INDEX_WRONG,
            entries.path(),
            entries.position(),
            "entry %d: %s".formatted(entries.index(), found),
            expected));
  }
}
