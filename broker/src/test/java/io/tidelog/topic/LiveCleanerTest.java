package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.ConfigSteps.Step;
import io.tidelog.topic.ConfigSteps.Verb;
import io.tidelog.topic.TopicAdmin.Intent;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** The compactor goes by the configs of the broker, as they are altered and after a restart. */
class LiveCleanerTest {
  private static final String BACKOFF_MS = "log.cleaner.backoff.ms";
  private static final ConfigResource THIS = new ConfigResource(ConfigResource.Type.BROKER, "1");

  private final SimDisk disk = new SimDisk(5);
  private final Pauses pauses = new Pauses();

  /** Notes how long the store's work is to wait. */
  private static final class Pauses extends TestTopics.Still {
    final List<Long> asked = new CopyOnWriteArrayList<>();

    @Override
    public void after(long delayMs, Runnable work) {
      asked.add(delayMs);
    }
  }

  private TestTopics start(Map<String, String> settings) throws IOException {
    pauses.asked.clear();
    return TestTopics.start(disk, settings, new SimClock(), pauses);
  }

  private void alter(TestTopics topics, ConfigResource broker, Verb verb, String value) {
    pauses.asked.clear();
    ConfigEdit edit =
        new ConfigSteps(List.of(new Step(verb, BACKOFF_MS, value)), ServerConfigs.keys()::get);
    Outcome<Void> outcome =
        TestTopics.await(topics.topics().admin().alter(Map.of(broker, edit), Intent.CARRY_OUT))
            .get(broker);
    assertThat(outcome.isRefused()).isFalse();
  }

  @Test
  void the_broker_goes_before_all_brokers_and_these_before_what_was_given_at_the_start()
      throws IOException {
    try (TestTopics topics = start(Map.of(BACKOFF_MS, "60000"))) {
      alter(topics, ConfigLookup.ALL_BROKERS, Verb.SET, "7001");
      assertThat(pauses.asked).containsExactly(7001L);
      alter(topics, THIS, Verb.SET, "7002");
      assertThat(pauses.asked).containsExactly(7002L);
      alter(topics, ConfigLookup.ALL_BROKERS, Verb.SET, "7003");
      assertThat(pauses.asked).as("it is 7002 still").isEmpty();
    }
    try (TestTopics topics = start(Map.of(BACKOFF_MS, "60000"))) {
      assertThat(pauses.asked).as("after a restart").contains(7002L);
      alter(topics, THIS, Verb.DELETE, null);
      assertThat(pauses.asked).containsExactly(7003L);
      alter(topics, ConfigLookup.ALL_BROKERS, Verb.DELETE, null);
      assertThat(pauses.asked).containsExactly(60_000L);
    }
  }
}
