package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskFile;
import io.tidelog.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.AbortedTxn;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.apache.kafka.storage.internals.log.TransactionIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexWalksAgreeWithKafkaTest {
  private static final long BASE = 1_000;

  @TempDir Path directory;

  private List<String> offsets(Path file) throws IOException {
    List<String> entries = new ArrayList<>();
    try (DiskFile opened = new NioDisk().openReadOnly(file)) {
      IndexWalk walk = IndexWalk.offsets(opened, BASE);
      while (walk.next()) {
        entries.add(walk.offset() + "@" + walk.logPosition());
      }
      entries.add("unused " + walk.unusedBytes());
    }
    return entries;
  }

  @Test
  void an_offset_index_that_kafka_writes_to_is_read_up_to_its_last_entry() throws IOException {
    Path file = directory.resolve("00000000000000001000.index");
    OffsetIndex index = new OffsetIndex(file.toFile(), BASE, 8 * 100);
    index.append(1_007, 4_200);
    index.append(1_019, 9_000);
    index.flush();

    assertThat(offsets(file)).containsExactly("1007@4200", "1019@9000", "unused 784");

    index.trimToValidSize();
    assertThat(offsets(file)).containsExactly("1007@4200", "1019@9000", "unused 0");
    index.close();
  }

  @Test
  void a_time_index_that_kafka_writes_to_is_read_up_to_its_last_entry() throws IOException {
    Path file = directory.resolve("00000000000000001000.timeindex");
    TimeIndex index = new TimeIndex(file.toFile(), BASE, 12 * 100);
    index.maybeAppend(5_000, 1_007, true);
    index.maybeAppend(5_001, 1_019, true);
    index.flush();

    List<String> entries = new ArrayList<>();
    try (DiskFile opened = new NioDisk().openReadOnly(file)) {
      IndexWalk walk = IndexWalk.times(opened, BASE);
      while (walk.next()) {
        entries.add(walk.timestamp() + "→" + walk.offset());
      }
    }

    assertThat(entries).containsExactly("5000→1007", "5001→1019");
    index.close();
  }

  @Test
  void aborted_transactions_that_kafka_wrote_are_read() throws IOException {
    Path file = directory.resolve("00000000000000001000.txnindex");
    TransactionIndex index = new TransactionIndex(BASE, file.toFile());
    index.append(aborted(7, 1_000, 1_010, 1_011));
    index.append(aborted(8, 1_002, 1_020, 1_005));
    index.close();

    List<AbortedTransaction> found = new ArrayList<>();
    try (DiskFile opened = new NioDisk().openReadOnly(file)) {
      TxnIndexWalk walk = new TxnIndexWalk(opened);
      while (walk.next()) {
        found.add(walk.transaction());
      }
    }

    assertThat(found)
        .containsExactly(
            new AbortedTransaction(7, 1_000, 1_010, 1_011),
            new AbortedTransaction(8, 1_002, 1_020, 1_005));

    Files.write(file, new byte[] {0, 0, 1}, StandardOpenOption.APPEND);
    try (DiskFile opened = new NioDisk().openReadOnly(file)) {
      TxnIndexWalk walk = new TxnIndexWalk(opened);
      assertThat(walk.next()).isTrue();
      assertThat(walk.next()).isTrue();
      assertThatThrownBy(walk::next)
          .isInstanceOf(CorruptLogException.class)
          .hasMessage(file + " at byte 68: an entry needs 34 bytes, the file has 3 more");
    }
  }

  private static AbortedTxn aborted(long producerId, long first, long last, long lastStable) {
    return new AbortedTxn()
        .setProducerId(producerId)
        .setFirstOffset(first)
        .setLastOffset(last)
        .setLastStableOffset(lastStable);
  }
}
