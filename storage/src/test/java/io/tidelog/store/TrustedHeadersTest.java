package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskFile;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A topic that trusts headers takes batches whose records nobody can read, and everything that
 * reads records later has an answer for them.
 */
class TrustedHeadersTest {
  private static final Path DATA = Path.of("/data");
  private static final Map<String, String> HEADER = Map.of("tidelog.batch.validation", "header");

  private final SimDisk disk = new SimDisk(1);

  @BeforeEach
  void makeDirectory() throws IOException {
    disk.createDirectories(DATA);
  }

  /** What is found afterwards are such records and nothing else. */
  private Lab lab(Map<String, String> settings) throws IOException {
    return Lab.open(disk, DATA, settings)
        .leaving(FindingKind.RECORDS_MALFORMED, FindingKind.RECORD_RULE);
  }

  private static Map<String, String> headerAnd(String name, String value) {
    Map<String, String> settings = new HashMap<>(HEADER);
    settings.put(name, value);
    return settings;
  }

  /** A batch whose records were overwritten with what is no record, packed or not. */
  private static ByteBuffer unreadable(Compression codec, long... timestampsMs) {
    ByteBuffer batch = Produced.at(codec, timestampsMs);
    for (int i = RecordBatch.HEADER_BYTES; i < batch.limit(); i++) {
      batch.put(i, (byte) 0xff);
    }
    return sealed(batch);
  }

  private static ByteBuffer claiming(long maxTimestampMs, long... timestampsMs) {
    return sealed(
        Produced.at(Compression.NONE, timestampsMs)
            .putLong(RecordBatch.MAX_TIMESTAMP_AT, maxTimestampMs));
  }

  /** Two records, the second of which says that its offset is 63 after the first one's. */
  private static ByteBuffer withFarOffset(String one, String two) {
    ByteBuffer batch = Lab.batch(Compression.NONE, 100, one, two);
    int second = RecordBatch.HEADER_BYTES + 1 + batch.get(RecordBatch.HEADER_BYTES) / 2;
    assertThat(batch.get(second + 3)).as("its offset delta").isEqualTo((byte) 2);
    return sealed(batch.put(second + 3, (byte) 126));
  }

  private static ByteBuffer sealed(ByteBuffer batch) {
    return batch.putInt(RecordBatch.CRC_AT, (int) RecordBatch.at(batch, 0).computeCrc());
  }

  private static void append(PartitionLog log, ByteBuffer batch) throws IOException {
    log.append(batch, 0, AppendSource.CLIENT);
  }

  private static void assertRefused(PartitionLog log, ByteBuffer batch, Reason reason) {
    long end = log.view().end();
    assertThatThrownBy(() -> append(log, batch))
        .isInstanceOfSatisfying(
            InvalidBatchException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    assertThat(log.view().end()).isEqualTo(end);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void records_that_cannot_be_read_are_refused_by_default_and_given_out_as_sent_with_trust(
      Compression codec) throws IOException {
    ByteBuffer sent = unreadable(codec, 100, 200);
    try (Lab lab = lab(Map.of())) {
      assertRefused(lab.orders(), Lab.copy(RecordBatch.at(sent, 0)), Reason.INVALID_RECORD);
      lab.orders().apply(LogSettings.of(HEADER));
      append(lab.orders(), Lab.copy(RecordBatch.at(sent, 0)));
      append(lab.orders(), Produced.at(codec, 300));
    }
    try (Lab lab = lab(HEADER)) {
      ByteBuffer read = Lab.bytesAt(lab.orders(), 0, 1);
      assertThat(read.putInt(RecordBatch.PARTITION_LEADER_EPOCH_AT, -1)).isEqualTo(sent);
      assertThat(Lab.bytesAt(lab.orders(), 2, 1 << 20).limit()).isPositive();
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void what_the_header_says_is_checked_all_the_same() throws IOException {
    try (Lab lab = lab(HEADER)) {
      PartitionLog log = lab.orders();
      ByteBuffer torn = Produced.at(Compression.LZ4, 100);
      assertRefused(log, torn.put(torn.limit() - 1, (byte) 1), Reason.CORRUPT);
      ByteBuffer miscounted = Produced.at(Compression.LZ4, 100);
      miscounted.putInt(RecordBatch.RECORD_COUNT_AT, 2);
      assertRefused(log, sealed(miscounted), Reason.INVALID_RECORD);
      long late = lab.clock.millis() + 3_600_001;
      assertRefused(log, claiming(late, 100), Reason.INVALID_TIMESTAMP);
      append(log, claiming(late - 1, 100));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cleanup.policy, compact",
    "cleanup.policy, 'compact,delete'",
    "compression.type, zstd",
    "message.timestamp.before.max.ms, 9000000000000",
  })
  void records_are_read_where_a_rule_is_about_them(String name, String value) throws IOException {
    try (Lab lab = lab(headerAnd(name, value))) {
      assertRefused(lab.orders(), unreadable(Compression.LZ4, 100), Reason.INVALID_RECORD);
    }
  }

  @Test
  void append_time_takes_no_look_at_the_records() throws IOException {
    Map<String, String> settings = new HashMap<>(headerAnd("compression.type", "lz4"));
    settings.put("message.timestamp.type", "LogAppendTime");
    settings.put("message.timestamp.before.max.ms", "1");
    try (Lab lab = lab(settings)) {
      append(lab.orders(), unreadable(Compression.LZ4, 100, 100));
      long now = lab.clock.millis();
      OffsetAtTime batch = new OffsetAtTime(0, now, 0);
      assertThat(lab.orders().offsetAtTime(now, ReadUpTo.LOG_END)).isEqualTo(batch);
      assertThat(lab.orders().offsetOfMaxTimestamp()).isEqualTo(batch);
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void a_search_by_time_lets_the_header_speak_for_them(Compression codec) throws IOException {
    try (Lab lab = lab(HEADER)) {
      PartitionLog log = lab.orders();
      append(log, Produced.at(codec, 100));
      append(log, unreadable(codec, 200, 250));
      append(log, Produced.at(codec, 220, 300));
      OffsetAtTime unread = new OffsetAtTime(1, 250, 0);
      assertThat(log.offsetAtTime(100, ReadUpTo.LOG_END).offset()).isZero();
      assertThat(log.offsetAtTime(101, ReadUpTo.LOG_END)).isEqualTo(unread);
      assertThat(log.offsetAtTime(250, ReadUpTo.LOG_END)).isEqualTo(unread);
      assertThat(log.offsetAtTime(251, ReadUpTo.LOG_END).offset()).isEqualTo(4);
      log.advanceStart(2);
      assertThat(log.offsetAtTime(101, ReadUpTo.LOG_END)).isEqualTo(new OffsetAtTime(2, 250, 0));
      assertThat(log.offsetOfMaxTimestamp()).isEqualTo(new OffsetAtTime(4, 300, 0));
    }
  }

  @Test
  void a_time_that_only_a_header_has_is_no_answer_but_to_the_question_for_the_largest()
      throws IOException {
    try (Lab lab = lab(HEADER)) {
      PartitionLog log = lab.orders();
      append(log, Produced.at(Compression.NONE, 100));
      append(log, claiming(900, 200, 300));
      append(log, Produced.at(Compression.NONE, 400));
      assertThat(log.offsetAtTime(350, ReadUpTo.LOG_END).offset()).isEqualTo(3);
      assertThat(log.offsetAtTime(500, ReadUpTo.LOG_END)).isEqualTo(OffsetAtTime.NONE);
      assertThat(log.offsetOfMaxTimestamp()).isEqualTo(new OffsetAtTime(1, 900, 0));
    }
  }

  @Test
  void a_record_with_an_offset_of_another_batch_is_not_found_there() throws IOException {
    try (Lab lab = lab(HEADER)) {
      append(lab.orders(), withFarOffset("a:1", "b:1"));
      lab.orders().advanceStart(1);
      assertThat(lab.orders().offsetAtTime(100, ReadUpTo.LOG_END))
          .isEqualTo(new OffsetAtTime(1, 100, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({"unreadable", "far"})
  void compaction_later_leaves_all_as_it_is_and_says_where(String kind) throws IOException {
    boolean isFar = kind.equals("far");
    try (Lab lab = lab(headerAnd("segment.bytes", "400"))) {
      PartitionLog log = lab.orders();
      append(log, Lab.batch(Compression.NONE, 100, "a:1"));
      int position = log.segments().get(0).sizeBytes();
      append(log, isFar ? withFarOffset("a:2", "a:3") : unreadable(Compression.LZ4, 100));
      for (int i = 0; i < 60; i++) {
        append(log, Lab.batch(Compression.NONE, 100, "a:x" + i));
      }
      Path first = log.segments().get(0).path(SegmentFiles.LOG);
      ByteBuffer before = contents(first);

      log.apply(LogSettings.of(Map.of("segment.bytes", "400", "cleanup.policy", "compact")));
      lab.compact();

      assertThat(lab.store.compactor().uncleanable())
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.file()).isEqualTo(first);
                assertThat(found.position()).isEqualTo(position);
              });
      assertThat(contents(first)).isEqualTo(before);
      append(log, Lab.batch(Compression.NONE, 100, "b:1"));

      log.advanceStart(log.segments().get(1).baseOffset());
      lab.store.enforceRetention();
      lab.compact();
      assertThat(lab.store.compactor().uncleanable()).isEmpty();
      assertThat(Lab.values(log)).contains("x59", "1").doesNotContain("x0");
    }
  }

  private ByteBuffer contents(Path file) throws IOException {
    try (DiskFile log = disk.openReadOnly(file)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) log.sizeBytes());
      log.read(bytes, 0);
      return bytes.flip();
    }
  }

  @Test
  void verify_names_them() throws IOException {
    try (Lab lab = lab(HEADER)) {
      append(lab.orders(), Produced.at(Compression.NONE, 100));
      append(lab.orders(), unreadable(Compression.ZSTD, 100, 200));
      append(lab.orders(), withFarOffset("a:1", "b:1"));
    }
    assertThat(Verifier.verify(disk, DATA, VerifyOptions.batches()).findings()).isEmpty();
    assertThat(Verifier.verify(disk, DATA, VerifyOptions.deep()).findings())
        .extracting(Finding::kind)
        .contains(FindingKind.RECORDS_MALFORMED, FindingKind.RECORD_RULE);
  }
}
