package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.TxnIndexWalk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Compares the {@code .txnindex} of a segment with the aborted transactions of its log. */
final class TxnIndexCheck {
  private static final int ENTRY_BYTES = 34;

  private final PartitionContext context;
  private final FindingList sink;
  private final SegmentFacts segment;
  private final Path file;
  private final FindingList findings = new FindingList();
  private final long start;
  private long least;

  TxnIndexCheck(PartitionContext context, FindingList sink, SegmentFacts segment) {
    this.context = context;
    this.sink = sink;
    this.segment = segment;
    this.least = segment.baseOffset();
    this.start = Math.max(context.start(), context.files().logs().first());
    this.file = context.files().path(segment.baseOffset(), SegmentFiles.TXN_INDEX);
  }

  /** How much is known of the transactions of a segment. */
  enum Knowledge {
    /** All of them, from their beginning on. */
    WHOLE,
    /** Some, since batches are missing. */
    PARTIAL
  }

  /**
   * Compares.
   *
   * @param aborted those whose markers lie in the segment
   */
  void check(List<AbortedTransaction> aborted, Knowledge knowledge) {
    boolean isComplete = knowledge == Knowledge.WHOLE;
    Map<Long, AbortedTransaction> expected = new TreeMap<>();
    aborted.forEach(transaction -> expected.put(transaction.lastOffset(), transaction));
    long entries = 0;
    if (context.files().has(file.getFileName().toString())) {
      entries = walk(expected, isComplete);
    }
    if (isComplete) {
      long at = entries;
      expected.values().forEach(missing -> tell(at * ENTRY_BYTES, "no entry", text(missing)));
    }
    tellAll();
  }

  /** Takes from what is expected what is there. @return how many entries there are */
  private long walk(Map<Long, AbortedTransaction> expected, boolean isComplete) {
    long entries = 0;
    try {
      try (DiskFile opened = context.disk().openReadOnly(file)) {
        if (opened.sizeBytes() > Integer.MAX_VALUE) {
          findings.add(IndexEntries.tooLarge(FindingKind.TXN_INDEX_WRONG, opened));
          expected.clear();
          return 0;
        }
        TxnIndexWalk walk = new TxnIndexWalk(opened);
        boolean goesOn = true;
        while (goesOn && walk.next()) {
          entries++;
          goesOn = compare(walk, expected, isComplete);
        }
      }
    } catch (CorruptLogException unsound) {
      findings.add(FindingKind.TXN_INDEX_WRONG, unsound);
    } catch (NoSuchFileException goneMeanwhile) {
      expected.clear();
    } catch (IOException unreadable) {
      expected.clear();
      sink.add(Unreadable.finding(file, unreadable));
    }
    return entries;
  }

  /** One that runs backwards ends it: what follows says nothing, and may be as long as the disk. */
  private boolean compare(
      TxnIndexWalk walk, Map<Long, AbortedTransaction> expected, boolean isComplete) {
    AbortedTransaction found = walk.transaction();
    if (found.lastOffset() < least) {
      tell(walk.position(), text(found), "a marker from %d on".formatted(least));
      expected.clear();
      return false;
    }
    least = found.lastOffset() + 1;
    AbortedTransaction right = expected.remove(found.lastOffset());
    if (isInGap(found.lastOffset())) {
      return true;
    }
    if (right != null
        ? isComplete && !seenFromStart(right).equals(seenFromStart(found))
        : isComplete) {
      tell(
          walk.position(),
          text(found),
          right == null ? "no entry: the log has no such abort" : text(right));
    } else if (segment.isWhole() && found.lastOffset() >= segment.nextOffset()) {
      tell(
          walk.position(),
          text(found),
          "a marker from %d to %d".formatted(segment.baseOffset(), segment.nextOffset() - 1));
    }
    return true;
  }

  /**
   * Where a transaction began below the start of the log nobody can see, nor tell once the snapshot
   * before the first segment is gone.
   */
  private AbortedTransaction seenFromStart(AbortedTransaction transaction) {
    return new AbortedTransaction(
        transaction.producerId(),
        Math.max(transaction.firstOffset(), start),
        transaction.lastOffset(),
        Math.max(transaction.lastStableOffset(), start));
  }

  /** Its marker is gone with the log that held it; the index alone tells of it. */
  private boolean isInGap(long marker) {
    OptionalLong next = context.files().nextBase(segment.baseOffset());
    return marker >= segment.nextOffset() && next.isPresent() && marker < next.getAsLong();
  }

  private static String text(AbortedTransaction transaction) {
    return "producer %d from %d to %d, stable below %d"
        .formatted(
            transaction.producerId(),
            transaction.firstOffset(),
            transaction.lastOffset(),
            transaction.lastStableOffset());
  }

  private void tell(long position, String found, String expected) {
    findings.add(Finding.of(FindingKind.TXN_INDEX_WRONG, file, position, found, expected));
  }

  private void tellAll() {
    OptionalLong next = context.files().nextBase(segment.baseOffset());
    boolean isActive = next.isEmpty();
    if (isActive && context.state().stop() == Stop.RUNNING) {
      return;
    }
    if (context.state().isReadAgain(context.partition(), next.orElse(Long.MAX_VALUE))) {
      findings.all().stream()
          .limit(1)
          .forEach(
              first ->
                  sink.add(
                      Finding.of(
                          FindingKind.INDEX_STALE,
                          file,
                          first.position(),
                          first.found(),
                          first.expected())));
    } else {
      sink.add(findings);
    }
  }
}
