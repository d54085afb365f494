package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no file, or none that can be read, costs at most its own partition. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnusableFilesTest extends WithBroker {
  private static final int RECORDS = 3;
  private static final String LOG = "00000000000000000000.log";

  /** Two partitions with the same records, and the folder of the first, stopped. */
  private Path stoppedFolder() throws Exception {
    Topic topic = broker.create("orders", 2, Map.of("index.interval.bytes", "1"));
    for (int i = 0; i < RECORDS; i++) {
      for (int partition = 0; partition < 2; partition++) {
        client.produce(topic, partition, Batches.of("value " + i));
      }
    }
    stop();
    return directory.resolve("orders-0");
  }

  private PartitionData fetch(int partition) throws Exception {
    return client.fetch(broker.topics().find("orders").orElseThrow(), partition, 0);
  }

  private void onlyTheOtherIsServed() throws Exception {
    start();
    broker.harmed();
    assertThat(Errors.forCode(fetch(0).errorCode())).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
    assertThat(Errors.forCode(fetch(1).errorCode())).isEqualTo(Errors.NONE);
    assertThat(fetch(1).highWatermark()).isEqualTo(RECORDS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        LOG,
        "00000000000000000003.snapshot",
        "leader-epoch-checkpoint",
        "partition.metadata"
      })
  void a_directory_in_the_place_of_a_file_takes_its_partition_alone(String name) throws Exception {
    Path file = stoppedFolder().resolve(name);
    Files.deleteIfExists(file);
    Files.createDirectories(file.resolve("inside"));
    onlyTheOtherIsServed();
    assertThat(file.resolve("inside")).isDirectory();
  }

  @Test
  void a_file_in_the_place_of_a_folder_takes_its_partition_alone() throws Exception {
    Path folder = stoppedFolder();
    Files.move(folder, directory.resolve("moved"));
    Files.writeString(folder, "a file");
    onlyTheOtherIsServed();
    assertThat(folder).hasContent("a file");
  }

  @Test
  void a_log_that_is_larger_than_any_takes_its_partition_alone() throws Exception {
    Path log = stoppedFolder().resolve(LOG);
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    onlyTheOtherIsServed();
    assertThat(Files.size(log)).isEqualTo(3L << 30);
  }

  @ParameterizedTest
  @ValueSource(strings = {"00000000000000000000.index", "00000000000000000000.timeindex"})
  void a_directory_in_the_place_of_an_index_is_put_aside_and_the_index_made_again(String name)
      throws Exception {
    Path index = stoppedFolder().resolve(name);
    Files.delete(index);
    Files.createDirectories(index.resolve("inside"));
    start();
    for (int partition = 0; partition < 2; partition++) {
      assertThat(Errors.forCode(fetch(partition).errorCode())).isEqualTo(Errors.NONE);
      assertThat(fetch(partition).highWatermark()).isEqualTo(RECORDS);
    }
    assertThat(index).isRegularFile();
    assertThat(index.resolveSibling(name + ".directory").resolve("inside")).isDirectory();
  }
}
