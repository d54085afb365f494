package io.tidelog.handler;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.ReplicaPlaces;
import io.tidelog.topic.Topics;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterReplicaLogDirsRequest;

/**
 * Moves partitions between the data directories of this broker. The answer says that a move is on
 * its way; DescribeLogDirs shows how far it is.
 */
final class AlterReplicaLogDirsHandler implements RequestHandler {
  private static final int MOST_NAME_CHARS = 255;
  private static final int COPYS_ID_AND_SUFFIX_CHARS = 40;

  private final Topics topics;
  private final ReplicaPlaces places;
  private final Executor background;

  /**
   * @param background where a move that is just ending may be waited for
   */
  AlterReplicaLogDirsHandler(Topics topics, Executor background) {
    this.topics = topics;
    this.places = topics.places();
    this.background = background;
  }

  @Override
  public void handle(Request request, Answer answer) {
    AlterReplicaLogDirsRequestData wanted = request.body(AlterReplicaLogDirsRequest.class).data();
    Background.answer(background, answer, () -> answer.complete(move(wanted)));
  }

  private AlterReplicaLogDirsResponseData move(AlterReplicaLogDirsRequestData wanted) {
    Map<String, AlterReplicaLogDirTopicResult> results = new LinkedHashMap<>();
    for (AlterReplicaLogDir directory : wanted.dirs()) {
      for (AlterReplicaLogDirTopic topic : directory.topics()) {
        AlterReplicaLogDirTopicResult result =
            results.computeIfAbsent(
                topic.name(), name -> new AlterReplicaLogDirTopicResult().setTopicName(name));
        for (int index : topic.partitions()) {
          result
              .partitions()
              .add(
                  new AlterReplicaLogDirPartitionResult()
                      .setPartitionIndex(index)
                      .setErrorCode(move(topic.name(), index, directory.path()).code()));
        }
      }
    }
    AlterReplicaLogDirsResponseData body = new AlterReplicaLogDirsResponseData();
    body.results().addAll(results.values());
    return body;
  }

  /** As in Kafka, a partition that is not there is remembered for when it is created. */
  private Errors move(String topic, int index, String directory) {
    if (isTooLong(topic, index)) {
      return Errors.INVALID_TOPIC_EXCEPTION;
    }
    Optional<Path> target = places.directory(directory);
    if (target.isEmpty()) {
      return Errors.LOG_DIR_NOT_FOUND;
    }
    FoundPartition found = FoundPartition.named(topics, topic, index);
    if (found.isUsable()) {
      places.move(found.log().topicPartition(), target.get());
    } else if (TopicPartition.problemWithTopic(topic).isEmpty() && index >= 0) {
      places.place(new TopicPartition(topic, index), target.get());
    }
    return found.error();
  }

  /** The folder of the copy has the longest name. */
  private static boolean isTooLong(String topic, int index) {
    return topic.length() + 1 + Integer.toString(index).length() + COPYS_ID_AND_SUFFIX_CHARS
        > MOST_NAME_CHARS;
  }
}
