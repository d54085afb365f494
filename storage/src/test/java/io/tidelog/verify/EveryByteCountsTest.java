package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.store.Damage;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.store.Produced.Producer;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.TopicCatalog.Cleanup;
import io.tidelog.verify.TopicCatalog.TopicFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each byte of each file of a small directory is damaged, and each file cut at each length. What
 * changes the meaning of a file is named by a finding about that file, or that says what it
 * disagrees with; that is decided without the checker: a log, a snapshot and a list of aborted
 * transactions mean something else with any byte changed, an index does if an entry has changed,
 * and a text file if it reads differently.
 */
class EveryByteCountsTest {
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "900", "index.interval.bytes", "100");
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final VerifyOptions OPTIONS =
      VerifyOptions.batches()
          .withThreads(1)
          .withTopics(
              topic ->
                  topic.equals("orders")
                      ? Optional.of(new TopicFacts(Lab.ORDERS_ID, 1, Cleanup.DELETE, 100))
                      : Optional.empty());

  private static SimDisk disk;
  private static Damage damage;

  @BeforeAll
  static void writeADirectory() throws IOException {
    disk = new SimDisk(5);
    disk.createDirectories(DATA);
    damage = new Damage(disk);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      PartitionLog log = lab.orders();
      for (int i = 0; i < 6; i++) {
        Producer producer = new Producer(7, (short) i);
        Produced.beginTransaction(log, producer, i / 2, SimClock.START_MS + i);
        log.appendMarker(
            new EndTransactionMarker(
                7,
                (short) i,
                0,
                i % 2 == 0 ? Outcome.ABORT : Outcome.COMMIT,
                TransactionProtocol.V1),
            i / 2);
      }
      log.advanceStart(1);
    }
    assertThat(Verifier.verify(disk, DATA, OPTIONS).findings()).isEmpty();
  }

  static Stream<Path> files() throws IOException {
    return Stream.concat(
            disk.list(DATA).stream()
                .map(DATA::resolve)
                .filter(path -> path.toString().endsWith("checkpoint")),
            disk.list(FOLDER).stream().map(FOLDER::resolve))
        .filter(
            path -> {
              try {
                return disk.sizeBytes(path) > 0;
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_flipped_bit_is_named(Path file) throws IOException {
    byte[] sound = damage.bytes(file);
    Object meaning = meaning(file);
    List<String> missed = new ArrayList<>();
    for (int at = 0; at < sound.length; at++) {
      byte flipped = (byte) (sound[at] ^ (1 << (at % 8)));
      damage.write(file, at, flipped);
      if (!meaning.equals(meaning(file)) && !isNamed(file)) {
        missed.add("byte " + at + ", bit " + at % 8);
      }
      damage.write(file, at, sound[at]);
    }
    assertThat(missed).as(file.toString()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_cut_is_named(Path file) throws IOException {
    byte[] sound = damage.bytes(file);
    Object meaning = meaning(file);
    List<Integer> missed = new ArrayList<>();
    for (int length = 0; length < sound.length; length++) {
      damage.cut(file, length);
      if (!meaning.equals(meaning(file)) && !isSparserIndex(file, length) && !isNamed(file)) {
        missed.add(length);
      }
      restore(file, sound);
    }
    assertThat(missed).as(file.toString()).isEmpty();
  }

  /** Fewer entries at the end make an index no wrong one, if not all of them are gone. */
  private static boolean isSparserIndex(Path file, int length) {
    String name = file.toString();
    return length > 0 && length % 8 == 0 && name.endsWith(".index");
  }

  private static boolean isNamed(Path file) throws IOException {
    return Verifier.verify(disk, DATA, OPTIONS).findings().stream()
        .anyMatch(
            finding ->
                finding.file().equals(file)
                    || finding.expected().contains(file.getFileName().toString()));
  }

  private static void restore(Path file, byte[] bytes) throws IOException {
    try (DiskFile opened = disk.open(file)) {
      opened.write(ByteBuffer.wrap(bytes), 0);
    }
  }

  /** What a file says: of a text what it reads as, of another file all its bytes. */
  private static Object meaning(Path file) throws IOException {
    String name = file.getFileName().toString();
    try {
      for (OffsetCheckpoint.Kind kind : OffsetCheckpoint.Kind.values()) {
        if (kind.fileName().equals(name)) {
          return new OffsetCheckpoint(disk, DATA, kind).read();
        }
      }
      return switch (name) {
        case LeaderEpochCheckpoint.FILE_NAME -> new LeaderEpochCheckpoint(disk, FOLDER).read();
        case PartitionMetadata.FILE_NAME -> new PartitionMetadata(disk, FOLDER).read();
        default -> ByteBuffer.wrap(damage.bytes(file));
      };
    } catch (IOException malformed) {
      return malformed.getMessage();
    }
  }
}
