package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimClock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.junit.jupiter.api.Test;

/** Sessions keep to their slots, and give them up as Kafka's do. */
class FetchSessionsTest {
  private static final long TWO_MINUTES_MS = 120_000;

  private final SimClock clock = new SimClock();
  private final FetchSessions sessions = new FetchSessions(2, clock, new SplittableRandom(1));

  @Test
  void young_sessions_keep_their_slots() {
    int first = open(1);
    int second = open(1);
    clock.advanceMs(TWO_MINUTES_MS);
    assertThat(open(100)).isEqualTo(FetchSessions.NONE);
    assertThat(sessions.find(first)).isNotNull();
    assertThat(sessions.find(second)).isNotNull();
  }

  @Test
  void the_one_that_was_not_used_for_longest_goes_after_two_minutes() {
    int first = open(5);
    int second = open(5);
    clock.advanceMs(TWO_MINUTES_MS);
    use(first, 5);
    clock.advanceMs(1);
    int third = open(1);
    assertThat(third).isNotEqualTo(FetchSessions.NONE);
    assertThat(sessions.find(second)).isNull();
    assertThat(sessions.find(first)).isNotNull();
    assertThat(sessions.count()).isEqualTo(2);
  }

  @Test
  void a_larger_one_displaces_the_smallest_that_is_old() {
    int small = open(2);
    int large = open(10);
    clock.advanceMs(TWO_MINUTES_MS + 1);
    use(small, 2);
    use(large, 10);
    assertThat(open(2)).as("not larger").isEqualTo(FetchSessions.NONE);
    int next = open(3);
    assertThat(next).isNotEqualTo(FetchSessions.NONE);
    assertThat(sessions.find(small)).isNull();
    assertThat(open(11)).as("the young one is safe").isNotEqualTo(FetchSessions.NONE);
    assertThat(sessions.find(large)).isNull();
    assertThat(sessions.find(next)).isNotNull();
  }

  @Test
  void a_session_counts_with_the_size_that_it_has_now() {
    int grown = open(1);
    int other = open(4);
    clock.advanceMs(TWO_MINUTES_MS + 1);
    use(grown, 1);
    use(other, 4);
    use(grown, 9);
    assertThat(open(5)).isNotEqualTo(FetchSessions.NONE);
    assertThat(sessions.find(other)).isNull();
    assertThat(sessions.find(grown)).isNotNull();
  }

  @Test
  void without_slots_there_is_no_session() {
    FetchSessions none = new FetchSessions(0, clock, new SplittableRandom(1));
    assertThat(none.open(FetchSession.Naming.BY_ID, partitions(3))).isEqualTo(FetchSessions.NONE);
  }

  @Test
  void a_closed_one_frees_its_slot() {
    int first = open(1);
    open(1);
    sessions.close(first);
    sessions.close(first);
    assertThat(open(1)).isNotEqualTo(FetchSessions.NONE);
    assertThat(sessions.count()).isEqualTo(2);
  }

  private int open(int size) {
    return sessions.open(FetchSession.Naming.BY_ID, partitions(size));
  }

  private void use(int id, int size) {
    sessions.used(sessions.find(id), size);
  }

  private static FetchedPartitions partitions(int count) {
    List<FetchPartition> asked =
        IntStream.range(0, count).mapToObj(i -> new FetchPartition().setPartition(i)).toList();
    FetchTopic topic = new FetchTopic().setTopicId(Uuid.randomUuid()).setPartitions(asked);
    return FetchedPartitions.of(new FetchRequestData().setTopics(List.of(topic)));
  }
}
