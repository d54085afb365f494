package io.tidelog.topic;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides on wishes for topics, each for itself, all in one batch of records. */
final class TopicCreation {
  /** As in Kafka: more in one request is taken for a mistake. */
  static final int MOST_PARTITIONS_PER_REQUEST = 10_000;

  private final Placement placement;
  private final ConfigLookup configs;
  private final RandomGenerator random;

  /**
   * @param random gives the ids
   */
  TopicCreation(Placement placement, ConfigLookup configs, RandomGenerator random) {
    this.placement = placement;
    this.configs = configs;
    this.random = random;
  }

  /**
   * @throws PolicyViolationException if the wishes are for too many partitions together
   */
  Change.Decision<List<Outcome<CreatedTopic>>> decide(MetadataImage image, List<NewTopic> wishes) {
    checkTotal(wishes);
    List<ApiMessageAndVersion> records = new ArrayList<>();
    List<Outcome<CreatedTopic>> answers = new ArrayList<>();
    Set<String> taken = new HashSet<>(image.topics().topicsByName().keySet());
    for (NewTopic wish : wishes) {
      Outcome<CreatedTopic> outcome = Outcome.from(() -> check(image, wish, taken));
      if (!outcome.isRefused()) {
        taken.add(wish.name());
        record(image, wish.name(), outcome.value(), records);
      }
      answers.add(outcome);
    }
    return new Change.Decision<>(records, answers);
  }

  private void checkTotal(List<NewTopic> wishes) {
    long total = 0;
    for (NewTopic wish : wishes) {
      total += Math.max(wish.assignments().size(), Math.max(wish.partitions(), 1));
    }
    if (total > MOST_PARTITIONS_PER_REQUEST) {
      throw new PolicyViolationException(
          "One request may create at most "
              + MOST_PARTITIONS_PER_REQUEST
              + " partitions, not "
              + total
              + ".");
    }
  }

  private CreatedTopic check(MetadataImage image, NewTopic wish, Set<String> taken) {
    TopicNames.check(wish.name());
    if (taken.contains(wish.name())) {
      throw new TopicExistsException("Topic '" + wish.name() + "' already exists.");
    }
    TopicNames.checkCollision(wish.name(), taken);
    checkConfigs(image, wish.configs());
    return new CreatedTopic(Ids.next(random), placement.partitionsOf(wish), wish.configs());
  }

  private void checkConfigs(MetadataImage image, Map<String, String> own) {
    if (own.isEmpty()) {
      return;
    }
    List<String> withoutValue =
        own.keySet().stream().filter(name -> own.get(name) == null).sorted().toList();
    if (!withoutValue.isEmpty()) {
      throw new InvalidConfigurationException(
          "Null value not supported for topic configs: " + String.join(",", withoutValue));
    }
    configs.check(image.configs(), own);
  }

  private void record(
      MetadataImage image, String name, CreatedTopic topic, List<ApiMessageAndVersion> records) {
    Uuid id = topic.id();
    records.add(
        new ApiMessageAndVersion(new TopicRecord().setName(name).setTopicId(id), (short) 0));
    new TreeMap<>(topic.configs())
        .forEach(
            (config, value) ->
                records.add(ConfigAlteration.record(ConfigLookup.topic(name), config, value)));
    for (int partition = 0; partition < topic.partitions(); partition++) {
      records.add(placement.record(image, id, partition));
    }
  }
}
