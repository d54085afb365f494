package io.tidelog.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OneFile;
import io.tidelog.testkit.SimDisk;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in a producer snapshot, it is read or refused in the one typed way; what is read,
 * Kafka reads too, and written again it is read as before.
 *
 * <p>The first byte of an input says whether the checksum is made right.
 */
class ProducerSnapshotFuzzTest implements FuzzTarget {
  private static final String NAME = "00000000000000000017.snapshot";
  private static final Path FILE = OneFile.FOLDER.resolve(NAME);
  private static final MemoryBound MEMORY = MemoryBound.of(64 << 10, 64);

  private final Path real = OneFile.realFolder();

  @Test
  void every_known_input_is_read_or_refused() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.producer.**");
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(snapshot(0), snapshot(1), snapshot(3));
  }

  private static byte[] snapshot(int producers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(
            1 + ProducerSnapshot.HEADER_BYTES + producers * ProducerSnapshot.ENTRY_BYTES);
    bytes.put((byte) 1).putShort((short) 1).putInt(0).putInt(producers);
    for (int i = 0; i < producers; i++) {
      bytes.putLong(i * 1000L).putShort((short) i).putInt(2 * i - 1);
      bytes
          .putLong(40L + i)
          .putInt(i)
          .putLong(1_700_000_000_000L)
          .putInt(i - 1)
          .putLong(7L * i - 1);
    }
    return bytes.array();
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    byte[] file = Arrays.copyOfRange(input, 1, input.length);
    if (input[0] != 0 && file.length >= ProducerSnapshot.COUNT_AT) {
      CRC32C crc = new CRC32C();
      crc.update(file, ProducerSnapshot.COUNT_AT, file.length - ProducerSnapshot.COUNT_AT);
      ByteBuffer.wrap(file).putInt(ProducerSnapshot.CRC_AT, (int) crc.getValue());
    }
    try (SimDisk disk = OneFile.of(NAME, file)) {
      MEMORY.check(file.length, () -> read(disk));
      Optional<List<ProducerState>> states = read(disk);
      if (states.isPresent()) {
        agreesWithKafka(states.get(), file);
        writtenAgain(states.get(), file);
      }
    }
  }

  private static Optional<List<ProducerState>> read(SimDisk disk) throws IOException {
    try {
      return Optional.of(ProducerSnapshot.read(disk, FILE));
    } catch (CorruptSnapshotException refused) {
      assertThat(refused).hasMessageContaining(NAME);
      return Optional.empty();
    }
  }

  private void agreesWithKafka(List<ProducerState> ours, byte[] file) throws IOException {
    List<ProducerStateEntry> theirs =
        ProducerStateManager.readSnapshot(OneFile.put(real, NAME, file).toFile());
    assertThat(ours).hasSameSizeAs(theirs);
    for (int i = 0; i < theirs.size(); i++) {
      ProducerState our = ours.get(i);
      ProducerStateEntry their = theirs.get(i);
      assertThat(our.producerId()).isEqualTo(their.producerId());
      assertThat(our.epoch()).isEqualTo(their.producerEpoch());
      assertThat(our.coordinatorEpoch()).isEqualTo(their.coordinatorEpoch());
      assertThat(our.lastTimestampMs()).isEqualTo(their.lastTimestamp());
      assertThat(our.lastOffset()).isEqualTo(their.lastDataOffset());
      assertThat(our.transactionStart()).isEqualTo(their.currentTxnFirstOffset());
    }
  }

  private static void writtenAgain(List<ProducerState> states, byte[] file) throws IOException {
    ByteBuffer again = ProducerSnapshot.encode(states);
    assertThat(again.remaining()).isEqualTo(file.length);
    byte[] bytes = new byte[again.remaining()];
    again.get(0, bytes);
    try (SimDisk disk = OneFile.of(NAME, bytes)) {
      assertThat(ProducerSnapshot.encode(read(disk).orElseThrow())).isEqualTo(again);
    }
  }
}
