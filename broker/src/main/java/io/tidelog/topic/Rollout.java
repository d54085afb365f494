package io.tidelog.topic;

import io.tidelog.log.LogSettings;
import io.tidelog.store.NewPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;

/**
 * Makes the served topics what the image says, and shows the image. On a change, logs are there
 * before the metadata log has their topic, and go after the image no longer shows it: so what
 * cannot be had, as on a full disk, is refused before it is recorded.
 */
final class Rollout implements ChangeLine.Effect {
  private final ServedTopics served;
  private final ConfigLookup configs;
  private final LiveCleaner cleaner;
  private final List<TopicsListener> listeners = new CopyOnWriteArrayList<>();
  private volatile MetadataImage image;

  Rollout(ServedTopics served, ConfigLookup configs, LiveCleaner cleaner) {
    this.served = served;
    this.configs = configs;
    this.cleaner = cleaner;
    this.image = MetadataImage.EMPTY;
  }

  ServedTopics served() {
    return served;
  }

  ConfigLookup configs() {
    return configs;
  }

  MetadataImage image() {
    return image;
  }

  void addListener(TopicsListener listener) {
    listeners.add(listener);
  }

  /** Serves all topics that the metadata log has at the start. */
  void start(MetadataReplay replay) throws IOException {
    MetadataImage first = replay.image();
    served.finishDeletions(replay.deleted());
    for (TopicImage topic : first.topics().topicsById().values()) {
      try {
        served.serve(topic, settingsOf(first, topic.name()));
      } catch (IllegalArgumentException e) {
        throw new IOException("Topic " + topic.name() + " cannot be served: " + e.getMessage(), e);
      }
    }
    served.reportStrays();
    cleaner.follow(first.configs());
    image = first;
  }

  @Override
  public boolean mustWait(MetadataDelta delta, MetadataImage next) {
    return changed(delta, next).anyMatch(served::isTaken);
  }

  @Override
  public ChangeLine.Prepared prepare(MetadataDelta delta, MetadataImage next) throws IOException {
    List<NewPartition> missing = new ArrayList<>();
    for (TopicImage topic : changed(delta, next).toList()) {
      missing.addAll(served.missing(topic, settingsOf(next, topic.name())));
    }
    served.create(missing);
    return () -> served.takeBack(missing);
  }

  private static Stream<TopicImage> changed(MetadataDelta delta, MetadataImage next) {
    return delta.topicsDelta() == null
        ? Stream.empty()
        : delta.topicsDelta().changedTopics().keySet().stream().map(next.topics()::getTopic);
  }

  @Override
  public void apply(MetadataDelta delta, MetadataImage next) throws IOException {
    for (TopicImage topic : changed(delta, next).toList()) {
      served.serve(topic, settingsOf(next, topic.name()));
    }
    configure(delta, next);
    image = next;
    List<Topic> deleted = removeDeleted(delta);
    listeners.forEach(listener -> listener.changed(delta, next));
    deleted.forEach(topic -> listeners.forEach(listener -> listener.deleted(topic)));
  }

  private void configure(MetadataDelta delta, MetadataImage next) {
    if (delta.configsDelta() == null) {
      return;
    }
    Set<ConfigResource> changed = delta.configsDelta().changes().keySet();
    boolean isServerWide =
        changed.contains(configs.thisBroker()) || changed.contains(ConfigLookup.ALL_BROKERS);
    if (isServerWide) {
      cleaner.follow(next.configs());
    }
    for (Topic topic : served.all()) {
      boolean isAffected = isServerWide || changed.contains(ConfigLookup.topic(topic.name()));
      if (isAffected && !isDeleted(delta, topic)) {
        served.configure(topic, settingsOf(next, topic.name()));
      }
    }
  }

  /** What a deleted topic has set itself counts to its end: file.delete.delay.ms above all. */
  private static boolean isDeleted(MetadataDelta delta, Topic topic) {
    return delta.topicsDelta() != null
        && delta.topicsDelta().deletedTopicIds().contains(topic.id());
  }

  private List<Topic> removeDeleted(MetadataDelta delta) {
    return delta.topicsDelta() == null
        ? List.of()
        : served.remove(delta.topicsDelta().deletedTopicIds());
  }

  private LogSettings settingsOf(MetadataImage at, String topic) {
    return configs.logSettings(
        at.configs(), at.configs().configMapForResource(ConfigLookup.topic(topic)));
  }
}
