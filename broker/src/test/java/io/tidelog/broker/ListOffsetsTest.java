package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Offsets by name (start, end, largest time) and by time, also when time runs backwards. */
class ListOffsetsTest extends WithBroker {
  private static final long[] TIMES = {100, 300, 200, 400, 50, 500};
  private static final long[] ASKED = {0, 100, 150, 201, 301, 400, 450, 501};
  private static final long[] OFFSETS = {0, 0, 1, 1, 3, 3, 5, -1};
  private static final long[] FOUND_TIMES = {100, 100, 300, 300, 400, 400, 500, -1};

  @Test
  void time_that_runs_backwards_is_found_in_single_batches() throws IOException {
    Topic topic = broker.create("single");
    for (long time : TIMES) {
      client.produce(topic, 0, Batches.at(Compression.NONE, time));
    }
    assertTimesFound(topic);
  }

  @Test
  void time_that_runs_backwards_is_found_in_one_batch_of_any_codec() throws IOException {
    Compression[] codecs = {
      Compression.NONE,
      Compression.gzip().build(),
      Compression.snappy().build(),
      Compression.lz4().build(),
      Compression.zstd().build()
    };
    for (Compression codec : codecs) {
      Topic topic = broker.create("batch-" + codec.type().name);
      client.produce(topic, 0, Batches.at(codec, TIMES));
      assertTimesFound(topic);
    }
  }

  @Test
  void time_that_runs_backwards_is_found_over_segments_and_after_a_restart() throws IOException {
    Topic topic =
        broker.create(
            "segments", 1, Map.of("internal.segment.bytes", "150", "index.interval.bytes", "0"));
    for (long time : TIMES) {
      client.produce(topic, 0, Batches.at(Compression.NONE, time));
    }
    assertTimesFound(topic);
    restart();
    assertTimesFound(broker.topics().find("segments").orElseThrow());
  }

  @Test
  void the_names_of_offsets_are_answered_where_their_version_has_them() throws IOException {
    Topic topic = broker.create("names");
    client.produce(topic, 0, Batches.at(Compression.NONE, TIMES));
    client.produce(topic, 0, Batches.at(Compression.NONE, 500, 7));
    broker.log(topic, 0).advanceStart(2);
    assertAnswer(topic, -1, -1, 8, 0);
    assertAnswer(topic, -2, -1, 2, 0);
    assertAnswer(topic, -3, 500, 5, 0);
    assertAnswer(topic, -4, -1, 2, 0);
    assertAnswer(topic, -5, -1, -1, -1);
    assertAnswer(topic, -6, -1, -1, -1);
    int[][] firstVersions = {{-3, 7}, {-4, 8}, {-5, 9}, {-6, 11}};
    for (int[] pair : firstVersions) {
      client.listOffsetsVersion(pair[1] - 1);
      assertThat(Errors.forCode(client.listOffsets(topic, 0, pair[0]).errorCode()))
          .as("%d", pair[0])
          .isEqualTo(Errors.UNSUPPORTED_VERSION);
      client.listOffsetsVersion(pair[1]);
      assertThat(client.listOffsets(topic, 0, pair[0]).errorCode()).isZero();
    }
    assertThat(Errors.forCode(client.listOffsets(topic, 0, -7).errorCode()))
        .isEqualTo(Errors.UNSUPPORTED_VERSION);
    assertThat(Errors.forCode(client.listOffsets(topic, 0, Long.MIN_VALUE).errorCode()))
        .isEqualTo(Errors.UNSUPPORTED_VERSION);
  }

  @Test
  void an_empty_log_has_a_start_an_end_and_no_times() throws IOException {
    Topic topic = broker.create("empty");
    assertThat(client.listOffsets(topic, 0, -2).offset()).isZero();
    assertThat(client.listOffsets(topic, 0, -1).offset()).isZero();
    assertThat(client.listOffsets(topic, 0, -3).offset()).isEqualTo(-1);
    assertThat(client.listOffsets(topic, 0, 0).offset()).isEqualTo(-1);
  }

  @Test
  void what_is_asked_twice_unknown_or_of_another_epoch_is_refused() throws IOException {
    broker.create("refused", 2, Map.of());
    List<ListOffsetsPartitionResponse> answers =
        client.listOffsets(
            "refused",
            List.of(
                wanted(0), wanted(0), wanted(1), wanted(2), wanted(1).setCurrentLeaderEpoch(5)));
    assertThat(answers)
        .extracting(answer -> Errors.forCode(answer.errorCode()))
        .as("one answer for what is asked twice")
        .containsExactly(
            Errors.INVALID_REQUEST, Errors.INVALID_REQUEST, Errors.UNKNOWN_TOPIC_OR_PARTITION);
    ListOffsetsPartition newer = wanted(1).setCurrentLeaderEpoch(5);
    assertThat(Errors.forCode(client.listOffsets("refused", List.of(newer)).get(0).errorCode()))
        .isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
    assertThat(Errors.forCode(client.listOffsets("none", List.of(wanted(0))).get(0).errorCode()))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  private static ListOffsetsPartition wanted(int partition) {
    return new ListOffsetsPartition().setPartitionIndex(partition).setTimestamp(-1);
  }

  private void assertTimesFound(Topic topic) throws IOException {
    for (int i = 0; i < ASKED.length; i++) {
      ListOffsetsPartitionResponse answer = client.listOffsets(topic, 0, ASKED[i]);
      assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
      assertThat(answer.offset()).as("%s at %d", topic.name(), ASKED[i]).isEqualTo(OFFSETS[i]);
      assertThat(answer.timestamp()).isEqualTo(FOUND_TIMES[i]);
    }
  }

  private void assertAnswer(Topic topic, long asked, long time, long offset, int epoch)
      throws IOException {
    ListOffsetsPartitionResponse answer = client.listOffsets(topic, 0, asked);
    assertThat(Errors.forCode(answer.errorCode())).as("%d", asked).isEqualTo(Errors.NONE);
    assertThat(answer.timestamp()).as("%d", asked).isEqualTo(time);
    assertThat(answer.offset()).as("%d", asked).isEqualTo(offset);
    assertThat(answer.leaderEpoch()).as("%d", asked).isEqualTo(epoch);
  }
}
