package io.tidelog.topic;

import io.tidelog.log.LogSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicDelta;
import org.apache.kafka.image.TopicImage;

/**
 * Makes the served topics what the image says, and shows the image. On a change, logs are there
 * before the image shows their topic, and go after it no longer does.
 */
final class Rollout implements ChangeLine.Effect {
  private final ServedTopics served;
  private final ConfigLookup configs;
  private final List<TopicsListener> listeners = new CopyOnWriteArrayList<>();
  private volatile MetadataImage image;

  Rollout(ServedTopics served, ConfigLookup configs) {
    this.served = served;
    this.configs = configs;
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
    image = first;
  }

  @Override
  public void apply(MetadataDelta delta, MetadataImage next) throws IOException {
    List<IOException> failures = new ArrayList<>();
    serveChanged(delta, next, failures);
    configure(delta, next);
    image = next;
    List<Topic> deleted = removeDeleted(delta, failures);
    listeners.forEach(listener -> listener.changed(delta, next));
    deleted.forEach(topic -> listeners.forEach(listener -> listener.deleted(topic)));
    if (!failures.isEmpty()) {
      IOException first = failures.get(0);
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  private void serveChanged(MetadataDelta delta, MetadataImage next, List<IOException> failures) {
    if (delta.topicsDelta() == null) {
      return;
    }
    for (TopicDelta changed : delta.topicsDelta().changedTopics().values()) {
      TopicImage topic = next.topics().getTopic(changed.id());
      try {
        served.serve(topic, settingsOf(next, topic.name()));
      } catch (IOException e) {
        failures.add(e);
      }
    }
  }

  private void configure(MetadataDelta delta, MetadataImage next) {
    if (delta.configsDelta() == null) {
      return;
    }
    Set<ConfigResource> changed = delta.configsDelta().changes().keySet();
    boolean isServerWide =
        changed.contains(configs.thisBroker()) || changed.contains(ConfigLookup.ALL_BROKERS);
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

  private List<Topic> removeDeleted(MetadataDelta delta, List<IOException> failures) {
    List<Topic> deleted = new ArrayList<>();
    if (delta.topicsDelta() == null) {
      return deleted;
    }
    for (Uuid id : delta.topicsDelta().deletedTopicIds()) {
      try {
        Optional<Topic> topic = served.remove(id);
        topic.ifPresent(deleted::add);
      } catch (IOException e) {
        failures.add(e);
      }
    }
    return deleted;
  }

  /** Deletes the topics that the change created and that cannot be served. */
  @Override
  public Change<List<Outcome<Void>>> amend(MetadataDelta failed) {
    Set<Uuid> unserved = new HashSet<>();
    if (failed.topicsDelta() != null) {
      unserved.addAll(failed.topicsDelta().createdTopicIds());
      unserved.removeIf(id -> served.find(id).isPresent());
    }
    return now -> TopicDeletion.decide(now, List.copyOf(unserved));
  }

  private LogSettings settingsOf(MetadataImage at, String topic) {
    return configs.logSettings(
        at.configs(), at.configs().configMapForResource(ConfigLookup.topic(topic)));
  }
}
