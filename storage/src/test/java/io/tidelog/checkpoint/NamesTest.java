package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  @ParameterizedTest
  @CsvSource({
    "a-0, a, 0, LIVE",
    "a-b-17, a-b, 17, LIVE",
    "a.b-delete-1, a.b-delete, 1, LIVE",
    "t-0.0123456789abcdef-delete, t, 0, DELETED",
    "t-2.x-future, t, 2, FUTURE",
    "t-3-4.x-stray, t-3, 4, STRAY",
    "-0-2147483647, -0, 2147483647, LIVE"
  })
  void folders_of_partitions_are_recognised(
      String name, String topic, int partition, PartitionFolder.State state) {
    assertThat(PartitionFolder.parse(name))
        .contains(new PartitionFolder(new TopicPartition(topic, partition), state));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "-0",
        "a-",
        "a--1x",
        "a-00",
        "a-+1",
        "a-01",
        "a-2147483648",
        "a b-0",
        "..-0",
        "a/b-0",
        "a-0-delete",
        "a-0.x-gone",
        "lost+found",
        "a-0.-delete",
        "a-99999999999999999999",
        "ü-0"
      })
  void other_names_are_not(String name) {
    assertThat(PartitionFolder.parse(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "a b", "ü", "a\n", "a\u0000"})
  void illegal_topics_cannot_be_named(String topic) {
    assertThatIllegalArgumentException().isThrownBy(() -> new TopicPartition(topic, 0));
  }

  @Test
  void a_topic_has_at_most_249_characters() {
    assertThat(TopicPartition.problemWithTopic("x".repeat(249))).isEmpty();
    assertThat(TopicPartition.problemWithTopic("x".repeat(250)))
        .hasValueSatisfying(problem -> assertThat(problem).contains("249").contains("250"));
  }

  @Test
  void ids_are_written_and_read_as_kafka_does() {
    Random random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      TopicId id = new TopicId(random.nextLong(), random.nextLong());
      assertThat(id.toString()).isEqualTo(new Uuid(id.high(), id.low()).toString());
      assertThat(TopicId.parse(id.toString())).isEqualTo(id);
      TopicId made = TopicId.random(random);
      assertThat(made.toString()).doesNotContain("-");
      assertThat(new java.util.UUID(made.high(), made.low()))
          .satisfies(uuid -> assertThat(uuid.version()).isEqualTo(4))
          .satisfies(uuid -> assertThat(uuid.variant()).isEqualTo(2));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA+/"})
  void other_texts_are_no_ids(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> TopicId.parse(text));
  }
}
