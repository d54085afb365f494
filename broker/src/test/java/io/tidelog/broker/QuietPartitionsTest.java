package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Partitions of a session that have nothing new cost a fetch no memory. */
class QuietPartitionsTest extends WithBroker {
  private static final int PARTITIONS = 500;
  private static final int FETCHES = 50;

  @Test
  void a_fetch_of_a_session_allocates_as_much_for_many_partitions_as_for_few() throws IOException {
    Topic topic = broker.create("many", PARTITIONS, Map.of());
    long few = bytesPerFetch(topic, 1);
    long many = bytesPerFetch(topic, PARTITIONS);
    assertThat(many - few)
        .as("%d bytes for one partition, %d for %d", few, many, PARTITIONS)
        .isLessThan(PARTITIONS * 4);
  }

  private long bytesPerFetch(Topic topic, int partitions) throws IOException {
    try (SessionClient session = new SessionClient(broker.connect())) {
      for (int partition = 0; partition < partitions; partition++) {
        session.name(topic, partition, 0);
      }
      session.waiting(1, 1).fetch();
      rounds(session);
      long before = allocatedByLoops();
      rounds(session);
      return (allocatedByLoops() - before) / FETCHES;
    }
  }

  private static void rounds(SessionClient session) throws IOException {
    for (int i = 0; i < FETCHES; i++) {
      assertThat(SessionClient.partitions(session.fetch())).isEmpty();
    }
  }

  /** Bytes that the event loops have allocated so far. */
  private static long allocatedByLoops() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids =
        TestBroker.threads().stream()
            .filter(thread -> thread.getName().contains("loop"))
            .mapToLong(Thread::getId)
            .toArray();
    assertThat(ids).isNotEmpty();
    return Arrays.stream(threads.getThreadAllocatedBytes(ids)).sum();
  }
}
