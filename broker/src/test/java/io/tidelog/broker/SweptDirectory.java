package io.tidelog.broker;

import io.tidelog.disk.DiskFile;
import io.tidelog.store.Surroundings;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.DeleteRecordsResponse;

/**
 * A small data directory with something of everything, left by a clean stop: plain, compacted,
 * idempotent and transactional records with aborted and open transactions, deleted records, several
 * segments with indexes, a snapshot of the metadata. Each copy of it can be damaged.
 */
final class SweptDirectory {
  static final Path DATA = SimBroker.DIRECTORY;
  static final Path MARKER = DATA.resolve(".kafka_cleanshutdown");
  static final long IDEMPOTENT_ID = 77;
  static final int IDEMPOTENT_BATCHES = 6;
  static final long DELETED_BELOW = 11;
  private static final Map<String, String> SMALL =
      Map.of(
          "internal.segment.bytes", "700",
          "index.interval.bytes", "150",
          "retention.ms", "3600000",
          "tidelog.durability", "fsync");

  private final SimDisk disk = new SimDisk(1);
  private long copies;

  private SweptDirectory() {}

  static SweptDirectory build() throws IOException {
    SweptDirectory built = new SweptDirectory();
    SimClock clock = new SimClock();
    try (TestBroker broker = start(built.disk, clock, new ArrayList<>(), new ByHand());
        DataClient client = broker.dataClient()) {
      fill(broker, client);
    }
    return built;
  }

  static TestBroker start(SimDisk disk, SimClock clock, List<String> events, ByHand scheduler)
      throws IOException {
    return TestBroker.start(
        BrokerSettings.embedded(DATA)
            .with("num.recovery.threads.per.data.dir", "1")
            .with("offsets.topic.num.partitions", "1")
            .with("transaction.state.log.num.partitions", "1")
            .with("metadata.log.max.record.bytes.between.snapshots", "2000"),
        new Surroundings(
            disk,
            clock,
            new SplittableRandom(1),
            scheduler,
            (kind, sentence) -> {
              synchronized (events) {
                events.add(kind + " " + sentence);
              }
            }));
  }

  private static void fill(TestBroker broker, DataClient client) throws IOException {
    Topic plain = broker.create("plain", 1, SMALL);
    for (int i = 0; i < 14; i++) {
      client.produce(plain, 0, batch(i, "plain " + i, "second of " + i));
    }
    Topic compacted = broker.create("compacted", 1, with("cleanup.policy", "compact"));
    for (int i = 0; i < 8; i++) {
      client.produce(compacted, 0, batch(i, "compacted " + i));
    }
    Topic deleted = broker.create("deleted", 1, SMALL);
    for (int i = 0; i < 20; i++) {
      client.produce(deleted, 0, batch(i, "deleted or not " + i));
    }
    delete(client, "deleted", DELETED_BELOW);
    Topic idempotent = broker.create("idempotent", 1, SMALL);
    for (int i = 0; i < IDEMPOTENT_BATCHES; i++) {
      client.produce(idempotent, 0, idempotent(i));
    }
    transact(broker, broker.create("transactional", 1, SMALL));
    CoordinatedState.write(broker, plain);
  }

  private static void transact(TestBroker broker, Topic topic) throws IOException {
    Transaction one = new Transaction(broker.log(topic, 0), 1);
    Transaction two = new Transaction(broker.log(topic, 0), 2);
    Transaction three = new Transaction(broker.log(topic, 0), 3);
    long now = SimClock.START_MS;
    for (int round = 0; round < 3; round++) {
      one.write(now, "aborted of one " + round);
      two.write(now, "committed of two " + round);
      one.write(now, "aborted of one, more " + round);
      one.abort();
      two.commit();
      three.write(now, "committed of three " + round);
      two.write(now, "aborted of two " + round);
      two.abort();
      three.commit();
    }
    three.write(now, "open of three");
    one.write(now, "open of one");
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(SMALL);
    more.put(name, value);
    return more;
  }

  private static MemoryRecords batch(int key, String... values) {
    SimpleRecord[] records = new SimpleRecord[values.length];
    for (int i = 0; i < values.length; i++) {
      records[i] =
          new SimpleRecord(
              SimClock.START_MS + key, Batches.bytes("key " + key % 4), Batches.bytes(values[i]));
    }
    return MemoryRecords.withRecords(Compression.NONE, records);
  }

  /** The n-th batch of the idempotent producer, the same each time. */
  static MemoryRecords idempotent(int number) {
    return MemoryRecords.withIdempotentRecords(
        Compression.NONE,
        IDEMPOTENT_ID,
        (short) 0,
        2 * number,
        new SimpleRecord(SimClock.START_MS, null, Batches.bytes("idempotent " + number)),
        new SimpleRecord(SimClock.START_MS, null, Batches.bytes("and again " + number)));
  }

  /** A batch to append to any topic. */
  static MemoryRecords next() {
    return batch(1, "next");
  }

  private static void delete(DataClient client, String topic, long offset) throws IOException {
    DeleteRecordsRequestData request =
        new DeleteRecordsRequestData()
            .setTimeoutMs(10_000)
            .setTopics(
                List.of(
                    new DeleteRecordsTopic()
                        .setName(topic)
                        .setPartitions(
                            List.of(
                                new DeleteRecordsPartition()
                                    .setPartitionIndex(0)
                                    .setOffset(offset)))));
    client
        .wire()
        .call(
            DataClient.parsed(ApiKeys.DELETE_RECORDS, request, (short) 2),
            DeleteRecordsResponse.class);
  }

  /** One more copy of it. */
  SimDisk copy() {
    return disk.restart(++copies);
  }

  /** All files of a disk, with their contents. */
  static Map<Path, byte[]> files(SimDisk disk) throws IOException {
    Map<Path, byte[]> files = new LinkedHashMap<>();
    gather(disk, DATA, files);
    return files;
  }

  private static void gather(SimDisk disk, Path directory, Map<Path, byte[]> files)
      throws IOException {
    for (String name : disk.list(directory)) {
      Path path = directory.resolve(name);
      if (disk.isDirectory(path)) {
        gather(disk, path, files);
      } else {
        try (DiskFile file = disk.openReadOnly(path)) {
          ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
          file.read(bytes, 0);
          files.put(path, bytes.array());
        }
      }
    }
  }
}
