package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OneFile;
import io.tidelog.disk.DiskFile;
import io.tidelog.testkit.SimDisk;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.AbortedTxn;
import org.apache.kafka.storage.internals.log.TransactionIndex;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in a transaction index, it is refused with the place that is wrong, or it can be
 * searched: each search finds what a look at every entry finds, and Kafka reads the same entries.
 */
class TxnIndexFuzzTest implements FuzzTarget {
  private static final long BASE = 1_000;
  private static final long END = 1_400;
  private static final String NAME = "00000000000000001000.txnindex";
  private static final Path FILE = OneFile.FOLDER.resolve(NAME);
  private static final MemoryBound MEMORY = MemoryBound.of(64 << 10, 64);

  private final Path real = OneFile.realFolder();

  @Test
  void every_known_input_is_refused_or_searched_soundly() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.segment.**");
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        entries(new long[] {5, 1_000, 1_010, 1_000}),
        entries(
            new long[] {5, 900, 1_010, 900},
            new long[] {6, 1_020, 1_030, 1_020},
            new long[] {5, 950, 1_031, 1_032},
            new long[] {7, 1_040, 1_399, 1_041}));
  }

  private static byte[] entries(long[]... transactions) {
    ByteBuffer bytes = ByteBuffer.allocate(transactions.length * TxnIndexWalk.ENTRY_BYTES);
    for (long[] transaction : transactions) {
      bytes.putShort(TxnIndexWalk.VERSION);
      for (long field : transaction) {
        bytes.putLong(field);
      }
    }
    return bytes.array();
  }

  @Override
  public void check(byte[] input) throws Exception {
    try (SimDisk disk = OneFile.of(NAME, input)) {
      MEMORY.check(input.length, () -> walked(disk));
      Optional<List<AbortedTransaction>> entries = walked(disk);
      if (isSound(disk)) {
        assertThat(entries).isPresent();
        searchesAgree(disk, entries.get());
        agreesWithKafka(entries.get(), input);
      }
    }
  }

  private static Optional<List<AbortedTransaction>> walked(SimDisk disk) throws IOException {
    List<AbortedTransaction> found = new ArrayList<>();
    try (DiskFile opened = disk.openReadOnly(FILE)) {
      TxnIndexWalk walk = new TxnIndexWalk(opened);
      while (walk.next()) {
        found.add(walk.transaction());
      }
      return Optional.of(found);
    } catch (CorruptLogException refused) {
      assertThat(refused.position()).isBetween(0L, disk.sizeBytes(FILE));
      return Optional.empty();
    }
  }

  private static boolean isSound(SimDisk disk) throws IOException {
    try {
      new TxnIndex(disk, FILE).check(BASE, END);
      return true;
    } catch (CorruptLogException refused) {
      assertThat(refused.file()).isEqualTo(FILE);
      return false;
    }
  }

  private static void searchesAgree(SimDisk disk, List<AbortedTransaction> all) throws IOException {
    TxnIndex index = new TxnIndex(disk, FILE);
    for (long from = BASE - 200; from < END + 10; from += 37) {
      for (long upTo : new long[] {from + 1, from + 50, END}) {
        List<AbortedTransaction> found = new ArrayList<>();
        index.collect(from, upTo, found);
        for (AbortedTransaction aborted : all) {
          boolean overlaps = aborted.firstOffset() < upTo && aborted.lastOffset() >= from;
          boolean isSettled = isSettledBefore(all, aborted, from, upTo);
          if (overlaps && !isSettled) {
            assertThat(found).as("%d to %d", from, upTo).contains(aborted);
          }
          if (!overlaps) {
            assertThat(found).as("%d to %d", from, upTo).doesNotContain(aborted);
          }
        }
      }
    }
  }

  /** Whether an earlier entry says that all that follows begins past the end of the search. */
  private static boolean isSettledBefore(
      List<AbortedTransaction> all, AbortedTransaction wanted, long from, long upTo) {
    for (AbortedTransaction earlier : all.subList(0, all.indexOf(wanted))) {
      if (earlier.lastOffset() >= from && earlier.lastStableOffset() >= upTo) {
        return true;
      }
    }
    return false;
  }

  private void agreesWithKafka(List<AbortedTransaction> ours, byte[] input) throws IOException {
    Path file = OneFile.put(real, NAME, input);
    try (TransactionIndex kafka = new TransactionIndex(BASE, file.toFile())) {
      kafka.sanityCheck();
      assertThat(kafka.allAbortedTxns().stream().map(TxnIndexFuzzTest::ours)).isEqualTo(ours);
    }
  }

  private static AbortedTransaction ours(AbortedTxn theirs) {
    return new AbortedTransaction(
        theirs.producerId(), theirs.firstOffset(), theirs.lastOffset(), theirs.lastStableOffset());
  }
}
