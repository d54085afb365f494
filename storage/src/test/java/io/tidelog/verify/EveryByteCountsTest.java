package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each byte of each file of a small directory is damaged, and each file cut at each length. What
 * does harm is named: by a warning or more about that file, or one that says that it disagrees with
 * it. What does harm is decided without the checker: a log, a snapshot and a list of aborted
 * transactions mean something else with any byte changed, an index does if an entry has changed,
 * and a text file if it reads differently, but for what {@link #harm} excuses.
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

  private static final Path OTHER = Path.of("/other");
  private static final MetaProperties IDENTITY =
      new MetaProperties("a-cluster", 1, Optional.of(new TopicId(5, 6)), Map.of());
  private static final Path MARKER = DATA.resolve(CleanShutdownMarker.FILE_NAME);

  private static SimDisk disk;
  private static long end;
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
    end =
        new OffsetCheckpoint(disk, DATA, OffsetCheckpoint.Kind.RECOVERY_POINT)
            .read()
            .get(Lab.ORDERS);
    disk.createDirectories(OTHER);
    IDENTITY.write(disk, DATA);
    new MetaProperties(IDENTITY.clusterId(), IDENTITY.nodeId(), Optional.empty(), Map.of())
        .write(disk, OTHER);
    assertThat(verify().findings()).isEmpty();
  }

  private static VerifyReport verify() throws IOException {
    return Verifier.verify(disk, List.of(OTHER, DATA), OPTIONS);
  }

  static Stream<Path> files() throws IOException {
    return Stream.concat(
            disk.list(DATA).stream()
                .map(DATA::resolve)
                .filter(path -> !disk.isDirectory(path) && !path.equals(MARKER)),
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
      for (int bit : bitsOf(file, at)) {
        damage.write(file, at, (byte) (sound[at] ^ (1 << bit)));
        if (!meaning.equals(meaning(file)) && !isNamed(file)) {
          missed.add("byte " + at + ", bit " + bit);
        }
        damage.write(file, at, sound[at]);
      }
    }
    assertThat(missed).as(file.toString()).isEmpty();
  }

  /** All bits of the few bytes beside the partition, one of each byte in it. */
  private static int[] bitsOf(Path file, int at) {
    return file.startsWith(FOLDER) ? new int[] {at % 8} : IntStream.range(0, 8).toArray();
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

  /**
   * With a line of the partition in it the log counts as compacted, so it has a test of its own.
   */
  @Test
  void of_the_cleaners_checkpoint_what_does_harm_is_named() throws IOException {
    Path file = DATA.resolve(OffsetCheckpoint.Kind.CLEANER.fileName());
    new OffsetCheckpoint(disk, DATA, OffsetCheckpoint.Kind.CLEANER).write(Map.of(Lab.ORDERS, 2L));
    try {
      a_flipped_bit_is_named(file);
      a_cut_is_named(file);
    } finally {
      disk.delete(file);
    }
  }

  /**
   * That the marker is there is all that counts. The broker epoch in it tells a controller whether
   * this stop is the one that it knows of; with another one the stop counts as unclean to it.
   */
  @Test
  void what_stands_in_the_marker_of_a_clean_stop_does_no_harm() throws IOException {
    byte[] sound = damage.bytes(MARKER);
    for (int at = 0; at < sound.length; at++) {
      damage.write(MARKER, at, (byte) (sound[at] ^ (1 << (at % 8))));
      assertThat(verify().isSound()).as("byte " + at).isTrue();
      damage.write(MARKER, at, sound[at]);
    }
    damage.cut(MARKER, 0);
    assertThat(verify().findings())
        .extracting(Finding::kind)
        .containsExactly(FindingKind.MARKER_ODD);
    restore(MARKER, sound);
  }

  /** Fewer entries at the end make an index no wrong one, if not all of them are gone. */
  private static boolean isSparserIndex(Path file, int length) {
    String name = file.toString();
    return length > 0 && length % 8 == 0 && name.endsWith(".index");
  }

  private static boolean isNamed(Path file) throws IOException {
    return verify().atLeast(Severity.WARNING).stream()
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
          return harm(kind, new OffsetCheckpoint(disk, DATA, kind).read());
        }
      }
      return switch (name) {
        case MetaProperties.FILE_NAME -> harm(MetaProperties.read(disk, DATA).orElseThrow());
        case LeaderEpochCheckpoint.FILE_NAME -> new LeaderEpochCheckpoint(disk, FOLDER).read();
        case PartitionMetadata.FILE_NAME -> new PartitionMetadata(disk, FOLDER).read();
        default -> ByteBuffer.wrap(damage.bytes(file));
      };
    } catch (IOException malformed) {
      return malformed.getMessage();
    }
  }

  /**
   * What does harm in a checkpoint: an offset past the log's end, or a line that is gone. Offsets
   * within the log are excused. A lower recovery point has more read again, a lower high watermark
   * rises again, the cleaner goes over a log once more or leaves a part of it as it is; where a log
   * starts nothing else tells, so that no checker can know it. A partition without a line of the
   * cleaner's is cleaned from its start.
   */
  private static Object harm(OffsetCheckpoint.Kind kind, Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, Long> harmful = new HashMap<>(offsets);
    if (kind == OffsetCheckpoint.Kind.CLEANER) {
      harmful.keySet().retainAll(Set.of(Lab.ORDERS));
      harmful.values().removeIf(offset -> offset <= end);
    }
    harmful.replaceAll((partition, offset) -> Math.max(offset, end));
    return harmful;
  }

  /** A broker registers the id of a directory anew, and keeps keys that it does not know. */
  private static Object harm(MetaProperties identity) {
    return List.of(identity.clusterId(), identity.nodeId());
  }
}
