package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides on wishes for more partitions of topics, each for itself. */
final class TopicGrowth {

  private final Placement placement;

  TopicGrowth(Placement placement) {
    this.placement = placement;
  }

  /**
   * @throws PolicyViolationException if the wishes are for too many partitions together
   */
  Change.Decision<List<Outcome<Void>>> decide(MetadataImage image, List<MorePartitions> wishes) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    List<Outcome<Void>> answers = new ArrayList<>();
    for (MorePartitions wish : wishes) {
      answers.add(
          Outcome.from(
              () -> {
                records.addAll(grow(image, wish));
                return null;
              }));
    }
    if (records.size() > TopicCreation.MOST_PARTITIONS_PER_REQUEST) {
      throw tooMany(records.size());
    }
    return new Change.Decision<>(records, answers);
  }

  private List<ApiMessageAndVersion> grow(MetadataImage image, MorePartitions wish) {
    TopicImage topic = image.topics().getTopic(wish.topic());
    if (topic == null) {
      throw new UnknownTopicOrPartitionException();
    }
    int now = topic.partitions().size();
    check(wish, now);
    List<ApiMessageAndVersion> records = new ArrayList<>();
    for (int partition = now; partition < wish.partitions(); partition++) {
      records.add(placement.record(image, topic.id(), partition));
    }
    return records;
  }

  private void check(MorePartitions wish, int now) {
    if (Topic.isInternal(wish.topic())) {
      throw new InvalidRequestException(
          wish.topic() + " cannot grow: what it holds is spread by its number of partitions.");
    }
    if (wish.partitions() == now) {
      throw new InvalidPartitionsException("Topic already has " + now + " partition(s).");
    }
    if (wish.partitions() < now) {
      throw new InvalidPartitionsException(
          "The topic "
              + wish.topic()
              + " currently has "
              + now
              + " partition(s); "
              + wish.partitions()
              + " would not be an increase.");
    }
    int added = wish.partitions() - now;
    if (added > TopicCreation.MOST_PARTITIONS_PER_REQUEST) {
      throw tooMany(added);
    }
    wish.assignments().ifPresent(assignments -> checkAssignments(assignments, added));
  }

  private void checkAssignments(List<List<Integer>> assignments, int added) {
    if (assignments.size() != added) {
      throw new InvalidReplicaAssignmentException(
          added
              + " partition(s) would be added, but "
              + assignments.size()
              + " assignment(s) are given.");
    }
    assignments.forEach(placement::checkReplicas);
  }

  private static PolicyViolationException tooMany(int added) {
    return new PolicyViolationException(
        "One request may add at most "
            + TopicCreation.MOST_PARTITIONS_PER_REQUEST
            + " partitions, not "
            + added
            + ".");
  }
}
