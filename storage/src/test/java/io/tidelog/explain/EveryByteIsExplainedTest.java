package io.tidelog.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.RecordBatch;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link ByteExplanation} has an answer for every byte of every file, sound or not. */
class EveryByteIsExplainedTest {
  private static final Path PARTITION = SampleDirectory.DATA.resolve("orders-0");
  private static final Path LOG = PARTITION.resolve("00000000000000000000.log");

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

  private ByteExplanation at(Path file, long position) throws IOException {
    ByteExplanation found = ByteExplanation.of(disk, file, position);
    assertThat(position)
        .as("byte %d of %s", position, file)
        .isBetween(found.field().at(), found.field().at() + found.field().sizeBytes() - 1);
    assertThat(found.thing()).isNotBlank();
    assertThat(found.field().name()).isNotBlank();
    return found;
  }

  @Test
  void in_a_sound_directory_every_byte_is_in_a_field_and_none_is_damage() throws IOException {
    Set<FileKind> seen = EnumSet.noneOf(FileKind.class);
    for (Path file : SampleDirectory.files(disk)) {
      for (long at = 0; at < disk.sizeBytes(file); at++) {
        ByteExplanation found = at(file, at);
        assertThat(found.damage()).as("byte %d of %s", at, file).isEmpty();
        seen.add(found.kind());
      }
    }
    assertThat(seen)
        .contains(
            FileKind.LOG,
            FileKind.OFFSET_INDEX,
            FileKind.TIME_INDEX,
            FileKind.TXN_INDEX,
            FileKind.PRODUCER_SNAPSHOT,
            FileKind.LEADER_EPOCHS,
            FileKind.PARTITION_METADATA,
            FileKind.OFFSETS,
            FileKind.CLEAN_STOP);
  }

  @Test
  void every_byte_has_an_answer_wherever_a_bit_is_flipped() throws IOException {
    for (Path file : SampleDirectory.files(disk)) {
      ByteBuffer sound = SampleDirectory.contents(disk, file);
      for (int flipped = 0; flipped < sound.limit(); flipped += 3) {
        ByteBuffer damaged = ByteBuffer.allocate(sound.limit()).put(sound.duplicate()).flip();
        damaged.put(flipped, (byte) (damaged.get(flipped) ^ (1 << (flipped % 8))));
        SampleDirectory.replace(disk, file, damaged);
        for (int at = flipped % 11; at < sound.limit(); at += 11) {
          at(file, at);
        }
        at(file, flipped);
      }
      SampleDirectory.replace(disk, file, sound);
    }
  }

  @Test
  void every_byte_has_an_answer_wherever_a_file_is_cut() throws IOException {
    for (Path file : SampleDirectory.files(disk)) {
      ByteBuffer sound = SampleDirectory.contents(disk, file);
      for (int bytes = 1; bytes < sound.limit(); bytes += 5) {
        SampleDirectory.replace(disk, file, sound.duplicate().limit(bytes));
        at(file, bytes - 1);
        at(file, bytes / 2);
      }
      SampleDirectory.replace(disk, file, sound);
    }
  }

  @Test
  void a_header_and_a_record_are_read_field_by_field() throws IOException {
    ByteExplanation crc = at(LOG, RecordBatch.CRC_AT + 2);
    assertThat(crc.thing()).isEqualTo("batch at byte 0");
    assertThat(crc.field().name()).isEqualTo("header, crc");
    assertThat(crc.field().at()).isEqualTo(RecordBatch.CRC_AT);
    assertThat(crc.field().value()).matches("0x[0-9a-f]{8}");
    assertThat(crc.summary())
        .isEqualTo(
            "offsets 0 to 1, 2 records in 79 bytes, compression none, leader epoch 4, CRC matches");

    ByteExplanation value = at(LOG, RecordBatch.HEADER_BYTES + 6);
    assertThat(value.field().name()).isEqualTo("record 0, value");
    assertThat(value.field().value()).isEqualTo("\"r0\"");
    assertThat(at(LOG, RecordBatch.HEADER_BYTES).field().name()).isEqualTo("record 0, length");
  }

  @Test
  void a_byte_of_packed_records_is_counted_from_their_start() throws IOException {
    OffsetLookup packed =
        OffsetLookup.of(
            PartitionOnDisk.find(disk, SampleDirectory.DATA, io.tidelog.store.Lab.ORDERS)
                .segments()
                .get(0),
            6);
    ByteExplanation found = at(LOG, packed.position() + RecordBatch.HEADER_BYTES + 17);
    assertThat(found.field().name()).isEqualTo("records");
    assertThat(found.field().value())
        .isEqualTo(
            "byte 17 of %d, packed with zstd"
                .formatted(packed.batch().orElseThrow().sizeBytes() - RecordBatch.HEADER_BYTES));
  }

  @Test
  void damage_is_told_from_where_it_begins_to_where_the_log_goes_on() throws IOException {
    ByteBuffer bytes = SampleDirectory.contents(disk, LOG);
    int second = RecordBatch.at(bytes, 0).sizeBytes();
    int third = second + RecordBatch.at(bytes, second).sizeBytes();
    bytes.put(second + RecordBatch.MAGIC_AT, (byte) 9);
    SampleDirectory.replace(disk, LOG, bytes);

    ByteExplanation found = at(LOG, second + RecordBatch.MAGIC_AT);
    assertThat(found.thing()).isEqualTo("damage from byte %d to %d".formatted(second, third - 1));
    assertThat(found.field().value())
        .isEqualTo("byte 16, where magic of a batch's header is expected of the damage");
    assertThat(found.damage().orElseThrow()).contains("format version (magic) is 9, expected 2");
    assertThat(at(LOG, third).damage()).isEmpty();
  }

  @Test
  void entries_and_lines_say_what_they_hold() throws IOException {
    ByteExplanation index = at(PARTITION.resolve("00000000000000000000.index"), 6);
    assertThat(index.thing()).isEqualTo("entry 0 at byte 0");
    assertThat(index.field().name()).isEqualTo("position");
    assertThat(index.summary()).isEqualTo("relativeOffset 3 (offset 3), position 79");
    assertThat(at(PARTITION.resolve("00000000000000000000.txnindex"), 3).summary())
        .isEqualTo("version 0, producerId 7, firstOffset 2, lastOffset 5, lastStableOffset 6");
    assertThat(at(PARTITION.resolve("leader-epoch-checkpoint"), 8).summary()).isEqualTo("\"5 6\"");
    ByteExplanation topic = at(SampleDirectory.DATA.resolve("replication-offset-checkpoint"), 5);
    assertThat(topic.field().name()).isEqualTo("topic");
    assertThat(topic.field().value()).isEqualTo("\"orders\"");
  }

  @Test
  void a_byte_that_is_not_there_is_told_so() {
    assertThatThrownBy(() -> ByteExplanation.of(disk, LOG, 1 << 20))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("so none at 1048576");
  }
}
