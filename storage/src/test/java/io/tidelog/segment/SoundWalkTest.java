package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.SoundWalk.Trust;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever byte of a log is damaged, the walk finds every batch but the damaged one. */
class SoundWalkTest {
  private static final Path LOG = Path.of("/00000000000000000100.log");
  private static final long BASE = 100;
  private static final int BATCHES = 6;
  private static final int RECORDS = 3;

  private final SimDisk disk = new SimDisk(1);
  private final List<DamagedStretch> stretches = new ArrayList<>();
  private final List<Integer> starts = new ArrayList<>();
  private final List<Long> offsets = new ArrayList<>();
  private ByteBuffer sound;
  private DiskFile file;

  /** What a walk knows of the end of the log. */
  private enum End {
    OPEN(LogPart.OPEN),
    KNOWN(BASE + BATCHES * RECORDS);

    private final long offset;

    End(long offset) {
      this.offset = offset;
    }
  }

  /** One batch that was found. */
  private record Found(int position, long baseOffset) {}

  @BeforeEach
  void writeSixBatches() throws IOException {
    sound = ByteBuffer.allocate(4096);
    for (int i = 0; i < BATCHES; i++) {
      long base = BASE + (long) i * RECORDS;
      starts.add(sound.position());
      offsets.add(base);
      sound.put(batch(base, "value " + i, "a little more", "!"));
    }
    sound.flip();
    file = disk.create(LOG);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
    disk.close();
  }

  private static ByteBuffer batch(long baseOffset, String... values) {
    ByteBuffer bytes = Lab.batch(Compression.NONE, 1000, values);
    RecordBatch.at(bytes, 0).stampBaseOffset(baseOffset);
    RecordBatch.at(bytes, 0).stampLeaderEpoch(0);
    return bytes;
  }

  private List<Found> walk(ByteBuffer bytes, Trust trust, End end) throws IOException {
    file.truncate(0);
    file.write(bytes.duplicate(), 0);
    stretches.clear();
    LogPart part = new LogPart(0, bytes.limit(), BASE, end.offset);
    SoundWalk walk = SoundWalk.over(file, new SoundWalk.Reading(part, trust, stretches::add));
    List<Found> found = new ArrayList<>();
    while (walk.next()) {
      found.add(new Found(walk.position(), walk.batch().baseOffset()));
      assertThat(walk.end()).isEqualTo(walk.position() + walk.batch().sizeBytes());
    }
    return found;
  }

  private ByteBuffer copy() {
    return ByteBuffer.allocate(sound.limit()).put(sound.duplicate()).flip();
  }

  private Found original(int batch) {
    return new Found(starts.get(batch), offsets.get(batch));
  }

  private List<Found> allBut(int batch) {
    return IntStream.range(0, BATCHES).filter(i -> i != batch).mapToObj(this::original).toList();
  }

  private int endOf(int batch) {
    return batch + 1 < BATCHES ? starts.get(batch + 1) : sound.limit();
  }

  @ParameterizedTest
  @EnumSource
  void every_flipped_bit_costs_its_own_batch_and_no_other(End end) throws IOException {
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int at = starts.get(batch); at < endOf(batch); at++) {
        int inBatch = at - starts.get(batch);
        if (inBatch >= RecordBatch.PARTITION_LEADER_EPOCH_AT && inBatch < RecordBatch.MAGIC_AT) {
          continue;
        }
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          costsOnly(batch, flipped(at, bit), end, "bit %d of byte %d".formatted(bit, at));
        }
      }
    }
  }

  private ByteBuffer flipped(int at, int bit) {
    ByteBuffer bytes = copy();
    return bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit));
  }

  private void costsOnly(int batch, ByteBuffer bytes, End end, String what) throws IOException {
    List<Found> found = walk(bytes, Trust.NONE, end);
    boolean isLastOffset =
        end == End.OPEN
            && batch == BATCHES - 1
            && RecordBatch.at(bytes, starts.get(batch)).baseOffset() > offsets.get(batch);
    if (isLastOffset) {
      assertThat(found).as(what).startsWith(allBut(batch).toArray(Found[]::new));
      return;
    }
    assertThat(found).as(what).isEqualTo(allBut(batch));
    assertThat(stretches).as(what).hasSize(1);
    LogPart lost = stretches.get(0).part();
    assertThat(lost.from()).as(what).isEqualTo(starts.get(batch));
    assertThat(lost.to()).as(what).isEqualTo(endOf(batch));
    assertThat(lost.firstOffset()).as(what).isEqualTo(offsets.get(batch));
    assertThat(lost.endOffset())
        .as(what)
        .isEqualTo(batch + 1 < BATCHES ? offsets.get(batch + 1) : end.offset);
  }

  @ParameterizedTest
  @EnumSource
  void where_contents_are_trusted_a_flipped_bit_still_hides_no_other_batch(End end)
      throws IOException {
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int at = starts.get(batch); at < endOf(batch); at++) {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          List<Found> found = walk(flipped(at, bit), Trust.ALL, end);
          assertThat(found).as("bit %d of byte %d", bit, at).containsAll(allBut(batch));
          assertThat(found.size()).isLessThanOrEqualTo(BATCHES);
        }
      }
    }
  }

  @Test
  void cut_anywhere_the_batches_before_the_cut_are_found() throws IOException {
    for (int size = 0; size <= sound.limit(); size++) {
      int whole = 0;
      while (whole < BATCHES && endOf(whole) <= size) {
        whole++;
      }
      List<Found> found = walk(copy().limit(size), Trust.ALL, End.KNOWN);
      assertThat(found).isEqualTo(IntStream.range(0, whole).mapToObj(this::original).toList());
      boolean isTorn = size > (whole == 0 ? 0 : endOf(whole - 1));
      assertThat(stretches).as("cut to %d bytes", size).hasSize(isTorn ? 1 : 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 61, 64, 100, 150, 200, 300})
  void zeroed_anywhere_all_batches_that_are_whole_are_found(int zeros) throws IOException {
    for (int from = 0; from + zeros <= sound.limit(); from++) {
      int first = from;
      ByteBuffer bytes = copy().put(first, new byte[zeros]);
      List<Found> whole =
          IntStream.range(0, BATCHES)
              .filter(i -> isUnchanged(bytes, i))
              .mapToObj(this::original)
              .toList();
      assertThat(walk(bytes, Trust.NONE, End.KNOWN)).as("from %d", from).isEqualTo(whole);
      assertThat(walk(bytes, Trust.ALL, End.KNOWN)).as("from %d", from).containsAll(whole);
    }
  }

  private boolean isUnchanged(ByteBuffer bytes, int batch) {
    int from = starts.get(batch);
    int size = endOf(batch) - from;
    return bytes.slice(from, size).equals(sound.slice(from, size));
  }

  @Test
  void two_stretches_are_told_as_two() throws IOException {
    ByteBuffer bytes = flipped(starts.get(1) + 70, 3);
    bytes.put(starts.get(4) + RecordBatch.BATCH_LENGTH_AT + 2, (byte) 9);
    assertThat(walk(bytes, Trust.NONE, End.KNOWN))
        .containsExactly(original(0), original(2), original(3), original(5));
    assertThat(stretches).extracting(each -> each.part().firstOffset()).containsExactly(103L, 112L);
    assertThat(stretches.get(0).toString())
        .contains(
            LOG + " at byte ", "offsets 103 to 105 cannot be read, the next good offset is 106");
  }

  @Test
  void a_batch_that_is_there_twice_is_found_once() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    bytes.put(sound.slice(0, endOf(2))).put(sound.slice(starts.get(2), endOf(2) - starts.get(2)));
    bytes.put(sound.slice(starts.get(3), sound.limit() - starts.get(3))).flip();
    for (Trust trust : List.of(Trust.NONE, Trust.ALL)) {
      assertThat(walk(bytes, trust, End.KNOWN))
          .extracting(Found::baseOffset)
          .containsExactlyElementsOf(offsets);
      assertThat(stretches).hasSize(1);
      assertThat(stretches.get(0).part().endOffset()).isEqualTo(offsets.get(3));
      assertThat(stretches.get(0).part().firstOffset()).isEqualTo(offsets.get(3));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 5_000, Long.MAX_VALUE - 2})
  void sound_batches_of_another_log_are_not_taken_for_ours(long foreignOffset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    bytes.put(sound.slice(0, endOf(2))).put(batch(foreignOffset, "not", "ours"));
    bytes.put(sound.slice(starts.get(3), sound.limit() - starts.get(3))).flip();
    for (Trust trust : List.of(Trust.NONE, Trust.ALL)) {
      for (End end : End.values()) {
        assertThat(walk(bytes, trust, end))
            .extracting(Found::baseOffset)
            .containsExactlyElementsOf(offsets);
      }
    }
  }

  @Test
  void gaps_as_compaction_leaves_them_are_no_damage() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    bytes.put(sound.slice(starts.get(1), endOf(1) - starts.get(1)));
    bytes.put(sound.slice(starts.get(3), endOf(4) - starts.get(3))).flip();
    for (Trust trust : List.of(Trust.NONE, Trust.ALL)) {
      for (End end : End.values()) {
        assertThat(walk(bytes, trust, end))
            .extracting(Found::baseOffset)
            .containsExactly(offsets.get(1), offsets.get(3), offsets.get(4));
        assertThat(stretches).isEmpty();
      }
    }
  }

  /** Trusts nothing, and notes of which batches it was asked for the offsets. */
  private static final class Asked implements Trust {
    private final List<Long> offsets = new ArrayList<>();

    @Override
    public boolean covers(int position, RecordBatch header) {
      return false;
    }

    @Override
    public long lastOffset(int position, RecordBatch header) {
      offsets.add(header.baseOffset());
      return header.lastOffset();
    }
  }

  @Test
  void others_are_asked_for_offsets_only_of_batches_beside_a_gap() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096).put(sound.slice(0, endOf(1)));
    bytes.put(sound.slice(starts.get(3), sound.limit() - starts.get(3))).flip();
    Asked asked = new Asked();
    assertThat(walk(bytes, asked, End.KNOWN)).hasSize(BATCHES - 1);
    assertThat(asked.offsets).containsExactly(offsets.get(1), offsets.get(3), offsets.get(5));
  }

  @Test
  void a_batch_in_a_record_of_a_damaged_batch_is_not_taken_for_a_batch_of_the_log()
      throws IOException {
    ByteBuffer inner = batch(BASE + 1, "inner");
    ByteBuffer outer;
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter writer = new RecordBatchWriter(codecs).begin();
      outer = Lab.copy(writer.append(1000, null, inner).finish());
    }
    RecordBatch.at(outer, 0).stampBaseOffset(BASE);
    ByteBuffer bytes = ByteBuffer.allocate(4096).put(outer).put(batch(BASE + 5, "next")).flip();
    bytes.put(RecordBatch.RECORD_COUNT_AT, (byte) 1);
    assertThat(walk(bytes, Trust.NONE, End.OPEN))
        .extracting(Found::baseOffset)
        .containsExactly(BASE + 5);
  }
}
