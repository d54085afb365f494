package io.tidelog.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.explain.OffsetExplanation.Place;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where each offset of a directory lies, and who gets what is there. */
class OffsetsAreExplainedTest {
  private static final Path PARTITION = SampleDirectory.DATA.resolve("orders-0");
  private static final Path LOG = PARTITION.resolve("00000000000000000000.log");
  private static final Path INDEX = PARTITION.resolve("00000000000000000000.index");

  private final SimClock clock = new SimClock();
  private final SimDisk disk = new SimDisk(1, clock);

  @BeforeEach
  void make() throws IOException {
    SampleDirectory.make(disk, clock);
  }

  @AfterEach
  void close() {
    disk.close();
  }

  private PartitionOnDisk log() throws IOException {
    return PartitionOnDisk.find(disk, SampleDirectory.DATA, Lab.ORDERS);
  }

  private OffsetExplanation at(long offset) throws IOException {
    return OffsetExplanation.of(log(), offset);
  }

  @Test
  void each_record_is_found_and_each_reader_is_told_what_it_gets() throws IOException {
    for (long offset = 0; offset < SampleDirectory.END; offset++) {
      OffsetExplanation found = at(offset);
      assertThat(found.place()).isEqualTo(offset == 5 ? Place.CONTROL_RECORD : Place.RECORD);
      assertThat(found.isVisible()).isEqualTo(offset != 5);
      assertThat(found.aborted().isPresent())
          .as("offset %d", offset)
          .isIn(offset == 2 || offset == 3);
      assertThat(found.isCommitted())
          .as("offset %d", offset)
          .isEqualTo(offset < SampleDirectory.FIRST_OPEN && !List.of(2L, 3L, 5L).contains(offset));
      assertThat(found.leaderEpoch()).hasValue(offset < 6 ? 4 : 5);
    }
    assertThat(StandardCharsets.UTF_8.decode(at(7).record().orElseThrow().value()).toString())
        .isEqualTo("packed two");
    assertThat(at(10).log().orElseThrow().getFileName().toString())
        .isEqualTo("00000000000000000010.log");
  }

  @Test
  void outside_of_the_log_nothing_is_searched() throws IOException {
    assertThat(at(-1).place()).isEqualTo(Place.BELOW_START);
    assertThat(at(SampleDirectory.END).place()).isEqualTo(Place.PAST_END);
    assertThat(at(SampleDirectory.END).lookup()).isEmpty();
  }

  @Test
  void the_index_entry_at_or_below_the_offset_is_used_and_a_wrong_index_is_named()
      throws IOException {
    OffsetLookup lookup = at(6).lookup().orElseThrow();
    assertThat(lookup.entry()).isGreaterThanOrEqualTo(0);
    assertThat(lookup.from()).isPositive();
    assertThat(lookup.scannedBytes()).isLessThan(lookup.position());

    ByteBuffer index = SampleDirectory.contents(disk, INDEX);
    index.putInt(4, 33);
    SampleDirectory.replace(disk, INDEX, index);
    OffsetExplanation misled = at(3);
    assertThat(misled.place()).isEqualTo(Place.RECORD);
    assertThat(misled.lookup().orElseThrow().indexDamage()).isPresent();
    assertThat(misled.lookup().orElseThrow().from()).isZero();

    disk.delete(INDEX);
    assertThat(at(6).lookup().orElseThrow().entry()).isEqualTo(-1);
    assertThat(at(6).place()).isEqualTo(Place.RECORD);
  }

  @Test
  void a_batch_with_a_flipped_bit_is_damage_and_its_neighbours_are_not() throws IOException {
    ByteBuffer bytes = SampleDirectory.contents(disk, LOG);
    int second = RecordBatch.at(bytes, 0).sizeBytes();
    bytes.put(second + RecordBatch.HEADER_BYTES + 3, (byte) 0x55);
    SampleDirectory.replace(disk, LOG, bytes);

    assertThat(at(2).place()).isEqualTo(Place.DAMAGED);
    assertThat(at(2).damage().orElseThrow()).hasMessageContaining("batch CRC is 0x");
    assertThat(at(1).place()).isEqualTo(Place.RECORD);
    assertThat(at(4).place()).isEqualTo(Place.RECORD);
  }

  @Test
  void past_a_damaged_header_the_next_batches_are_found() throws IOException {
    ByteBuffer bytes = SampleDirectory.contents(disk, LOG);
    int second = RecordBatch.at(bytes, 0).sizeBytes();
    bytes.putInt(second + RecordBatch.BATCH_LENGTH_AT, 7);
    SampleDirectory.replace(disk, LOG, bytes);
    disk.delete(INDEX);

    assertThat(at(3).place()).isEqualTo(Place.DAMAGED);
    assertThat(at(3).damage().orElseThrow())
        .hasMessageContaining("batch length is 7")
        .hasMessageContaining("the next good offset is 4");
    assertThat(at(4).place()).isEqualTo(Place.RECORD);
    assertThat(at(7).place()).isEqualTo(Place.RECORD);
    assertThat(OpenTransactions.of(log())).extracting("producerId").containsExactly(8L);
  }

  @Test
  void the_open_transaction_is_named_with_its_time_with_and_without_a_snapshot()
      throws IOException {
    OpenTransactions.Open expected =
        new OpenTransactions.Open(
            8,
            (short) 0,
            SampleDirectory.FIRST_OPEN,
            SimClock.START_MS + 4,
            9,
            SimClock.START_MS + 4,
            -1);
    assertThat(OpenTransactions.of(log())).containsExactly(expected);
    for (String name : disk.list(PARTITION)) {
      if (name.endsWith(".snapshot")) {
        disk.delete(PARTITION.resolve(name));
      }
    }
    assertThat(OpenTransactions.of(log())).containsExactly(expected);
  }
}
