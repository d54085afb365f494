package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.record.RecordBatch;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One partition in two folders, one in our hands and one in Kafka's; what happens, does to both.
 */
final class OursAndKafkas implements AutoCloseable {
  private static final Map<String, String> CONFIG =
      Map.of("segment.bytes", "700", "index.interval.bytes", "150");
  private static final String FOLDER = "orders-0";

  private final Path data;
  private final Path theirs;
  private final SimClock clock = new SimClock();
  private final Map<String, String> settings;
  private final Writers writers = new Writers();
  private Lab lab;
  private KafkaLog kafka;
  private final Set<String> mayDiffer = new HashSet<>();

  OursAndKafkas(Path directory, String durability) throws IOException {
    this.data = directory.resolve("ours");
    this.theirs = Files.createDirectories(directory.resolve("theirs").resolve(FOLDER));
    this.settings = new TreeMap<>(CONFIG);
    settings.put("tidelog.durability", durability);
    open(KafkaLog.Stop.CLEAN);
  }

  private void open(KafkaLog.Stop stop) throws IOException {
    lab = Lab.open(new NioDisk(), data, clock, settings);
    kafka =
        KafkaLog.open(
            theirs,
            Lab.ORDERS_ID,
            CONFIG,
            new KafkaLog.Found(stop, ours().view().start()),
            new KafkaTime(clock::millis));
    assertThat(lab.events).noneMatch(event -> event.contains(".txnindex"));
    commit();
  }

  private PartitionLog ours() throws IOException {
    return lab.orders();
  }

  void does(TxnOp op) throws IOException {
    clock.advanceMs(1);
    switch (op.kind()) {
      case PLAIN -> append(writers.plain(op.records(), clock.millis()));
      case IDEMPOTENT ->
          append(writers.idempotent(op.producer() - 10, op.records(), clock.millis()));
      case TRANSACTIONAL ->
          append(writers.transactional(op.producer(), op.records(), clock.millis()));
      case END -> end(writers.end(op.producer(), op.outcome(), op.protocol()));
      case COMMIT -> commit();
      case DELETE_RECORDS -> deleteRecords(op.number());
      case TRUNCATE -> truncate(op.number());
      case REOPEN -> reopen();
      case REOPEN_UNCLEAN -> reopenUnclean();
    }
  }

  private void append(Writers.Sent sent) throws IOException {
    sent.to(ours(), 0);
    kafka.appendUncommitted(sent.copy(), 0);
    followOurs();
  }

  private void end(EndTransactionMarker marker) throws IOException {
    ours().appendMarker(marker, 0);
    kafka.appendMarker(marker, clock.millis(), 0);
    followOurs();
  }

  private void commit() throws IOException {
    lab.scheduler.runDue();
    followOurs();
  }

  private void followOurs() throws IOException {
    kafka.commitTo(ours().view().highWatermark());
  }

  private void deleteRecords(int number) throws IOException {
    long offset = number % (ours().view().highWatermark() + 1);
    if (offset > ours().view().start()) {
      ours().advanceStart(offset);
      ours().dropSegmentsBelow(Math.min(offset, ours().view().end() - 1));
      kafka.deleteBelow(offset);
      mayDiffer.add(".snapshot");
    }
  }

  /** At the start of a batch; the producers then start anew, for they know no other way. */
  private void truncate(int number) throws IOException {
    long wanted =
        ours().view().start() + number % (ours().view().end() - ours().view().start() + 1);
    if (wanted == ours().view().end()) {
      return;
    }
    ByteBuffer at = Lab.bytesAt(ours(), wanted, 1);
    long boundary = Math.max(RecordBatch.at(at, 0).baseOffset(), ours().view().start());
    if (boundary > RecordBatch.at(at, 0).baseOffset()) {
      return;
    }
    ours().truncateTo(boundary);
    kafka.truncateTo(boundary);
    followOurs();
    mayDiffer.addAll(List.of(".index", ".timeindex", ".snapshot"));
    for (long producer = 0; producer < 14; producer++) {
      writers.newEpoch(producer);
    }
  }

  private void reopen() throws IOException {
    lab.close();
    kafka.close();
    trimIndexes(theirs);
    open(KafkaLog.Stop.CLEAN);
    mayDiffer.addAll(List.of(".index", ".timeindex"));
  }

  private void reopenUnclean() throws IOException {
    lab.close();
    kafka.close();
    crash(data);
    open(KafkaLog.Stop.UNCLEAN);
    mayDiffer.addAll(List.of(".index", ".timeindex", ".snapshot"));
  }

  private static void crash(Path data) throws IOException {
    Files.delete(data.resolve(".kafka_cleanshutdown"));
    Files.deleteIfExists(data.resolve("recovery-point-offset-checkpoint"));
  }

  /** Kafka's last stable offset may be the start of the batch that the start offset lies in. */
  void agree(TxnOp after) throws IOException {
    assertThat(ours().view().start()).as("start after %s", after).isEqualTo(kafka.start());
    assertThat(ours().view().end()).as("end after %s", after).isEqualTo(kafka.end());
    assertThat(ours().view().stable())
        .as("last stable offset after %s", after)
        .isEqualTo(Math.max(kafka.start(), kafka.lastStable()));
    long readable = ours().view().stable() - ours().view().start();
    if (readable > 0) {
      agreeOnAborted(ours().view().start() + after.number() % readable);
    }
  }

  /** From every offset. */
  void agreeOnAborted() throws IOException {
    for (long offset = ours().view().start(); offset < ours().view().stable(); offset++) {
      agreeOnAborted(offset);
    }
  }

  private void agreeOnAborted(long offset) throws IOException {
    for (int maxBytes : new int[] {1, 250, 100_000}) {
      agreeOnAborted(offset, maxBytes, ours(), kafka);
    }
  }

  /** Kafka may tell of some that begin after the slice, up to the next index entry. */
  private static void agreeOnAborted(long offset, int maxBytes, PartitionLog log, KafkaLog kafka)
      throws IOException {
    LogSlice slice = log.read(offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
    ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
    slice.read(bytes, 0);
    slice.release();
    long next = Lab.addEntries(bytes.flip(), offset, new java.util.ArrayList<>());
    List<Map.Entry<Long, Long>> expected =
        kafka.aborted(offset, maxBytes).stream().filter(each -> each.getValue() < next).toList();
    assertThat(slice.aborted())
        .as("aborted in %d bytes from %d", maxBytes, offset)
        .extracting(each -> Map.entry(each.producerId(), each.firstOffset()))
        .isEqualTo(expected);
  }

  /** Closed, both folders hold the same. */
  void agreeOnFiles() throws IOException {
    lab.close();
    kafka.close();
    Map<String, String> left = comparable(data.resolve(FOLDER));
    Map<String, String> right = comparable(theirs);
    assertThat(left).isEqualTo(right);
  }

  /**
   * Kafka counts the index interval from its start, keeps index entries as they are when it cuts,
   * takes snapshots where it cut and where it began to read again, and leaves some below the start.
   */
  private Map<String, String> comparable(Path folder) throws IOException {
    Map<String, String> files = files(folder);
    files.keySet().removeIf(name -> mayDiffer.contains(name.substring(name.indexOf('.'))));
    return files;
  }

  /** Kafka opens our folder, and we Kafka's, after a clean stop and after a crash. */
  void changeHands() throws IOException {
    Path exchanged = data.resolve(FOLDER);
    for (KafkaLog.Stop stop : KafkaLog.Stop.values()) {
      Path kept = data.resolve("kept");
      Files.move(exchanged, kept);
      Files.move(theirs, exchanged);
      Files.move(kept, theirs);
      if (stop == KafkaLog.Stop.UNCLEAN) {
        crash(data);
      }
      open(stop);
      agree(new TxnOp(TxnOp.Kind.REOPEN, 0, 0, 0));
      agreeOnAborted();
      lab.close();
      kafka.close();
    }
  }

  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.toList()) {
        String name = path.getFileName().toString();
        if (name.matches("[0-9]{20}\\.\\w+")) {
          contents.put(name, withoutPadding(name, Files.readAllBytes(path)));
        }
      }
    }
    contents.values().removeIf(String::isEmpty);
    return contents;
  }

  /** Kafka leaves the room that it reserved for index entries. */
  private static String withoutPadding(String name, byte[] bytes) {
    int length = bytes.length;
    while (isPadded(name) && length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return HexFormat.of().formatHex(bytes, 0, length);
  }

  private static boolean isPadded(String name) {
    return name.endsWith(".index") || name.endsWith(".timeindex");
  }

  /** A Kafka that finds such room takes the index for full and begins a new segment. */
  private static void trimIndexes(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.filter(each -> isPadded(each.toString())).toList()) {
        byte[] bytes = Files.readAllBytes(path);
        int entryBytes = path.toString().endsWith(".timeindex") ? 12 : 8;
        int length = bytes.length;
        while (length > 0 && isZero(bytes, length - entryBytes, length)) {
          length -= entryBytes;
        }
        Files.write(path, Arrays.copyOf(bytes, length));
      }
    }
  }

  private static boolean isZero(byte[] bytes, int from, int to) {
    return Arrays.equals(bytes, from, to, new byte[to - from], 0, to - from);
  }

  @Override
  public void close() throws IOException {
    lab.close();
  }
}
