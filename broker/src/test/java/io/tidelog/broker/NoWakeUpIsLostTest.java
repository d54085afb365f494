package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers that always wait and writers on other event loops: each record must wake its readers. A
 * wake-up that is lost shows as a wait of a minute, which is longer than the test may take.
 */
class NoWakeUpIsLostTest {
  private static final int LONG_MS = 60_000;
  private static final int READERS = 4;
  private static final int WRITERS = 2;
  private static final int RECORDS = 500;

  @TempDir Path directory;

  @Test
  @Timeout(value = 50, unit = TimeUnit.SECONDS)
  void every_reader_gets_every_record_in_order() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(READERS + WRITERS);
    BrokerSettings settings = BrokerSettings.embedded(directory).with("num.network.threads", "3");
    try (TestBroker broker = TestBroker.start(settings)) {
      Topic topic = broker.create("busy");
      List<Future<List<Long>>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> read(broker, topic)));
      }
      Callable<Void> writer = () -> write(broker, topic);
      threads.invokeAll(List.of(writer, writer));
      for (Future<List<Long>> reader : readers) {
        assertThat(reader.get()).hasSize(WRITERS * RECORDS).isSorted().doesNotHaveDuplicates();
      }
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static List<Long> read(TestBroker broker, Topic topic) throws Exception {
    List<Long> offsets = new ArrayList<>();
    try (DataClient client = broker.dataClient().waiting(LONG_MS, 1)) {
      while (offsets.size() < WRITERS * RECORDS) {
        PartitionData answer = client.fetch(topic, 0, offsets.size());
        offsets.addAll(Batches.offsets(answer));
      }
    }
    return offsets;
  }

  private static Void write(TestBroker broker, Topic topic) throws Exception {
    try (DataClient client = broker.dataClient()) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(client.produce(topic, 0, Batches.of("x")).errorCode()).isZero();
      }
    }
    return null;
  }
}
