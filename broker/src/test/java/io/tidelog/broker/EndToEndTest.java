package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** What is unusual and allowed goes all the way: over the wire, to the disk and back. */
class EndToEndTest extends WithBroker {

  @Test
  void headers_come_back_as_they_were_sent() throws IOException {
    Header[] headers =
        Stream.concat(
                Stream.of(
                    new RecordHeader("a", Batches.bytes("1")),
                    new RecordHeader("", null),
                    new RecordHeader("a", Batches.bytes("2")),
                    new RecordHeader("b", new byte[0])),
                IntStream.range(0, 10_000)
                    .mapToObj(i -> new RecordHeader("h" + i, Batches.bytes("v"))))
            .toArray(Header[]::new);
    Topic topic = broker.create("headers");
    client.produce(
        topic,
        0,
        MemoryRecords.withRecords(
            Compression.NONE,
            new SimpleRecord(Batches.NOW, null, Batches.bytes("value"), headers)));
    restart();
    topic = broker.topics().find("headers").orElseThrow();
    assertThat(Batches.records(client.fetch(topic, 0, 0)))
        .singleElement()
        .satisfies(record -> assertThat(record.headers()).containsExactly(headers));
  }

  @Test
  void the_longest_name_and_one_with_a_dot_are_written_read_and_deleted() throws Exception {
    for (String name : List.of("x".repeat(249), "a.b")) {
      Topic topic = broker.create(name, 1, Map.of("file.delete.delay.ms", "0"));
      assertThat(client.produce(topic, 0, Batches.of("kept")).errorCode()).isZero();
      restart();
      topic = broker.topics().find(name).orElseThrow();
      assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("kept");
      assertThat(Files.isDirectory(directory.resolve(name + "-0"))).isTrue();
      broker.delete(topic);
      assertThat(broker.topics().find(name)).isEmpty();
      assertThat(Files.exists(directory.resolve(name + "-0"))).isFalse();
    }
  }
}
