package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterReplicaLogDirsRequest;

/**
 * Moves partitions between the data directories of this broker, which is not done while it runs: a
 * partition may stay where it is, and is told KAFKA_STORAGE_ERROR for another directory.
 */
final class AlterReplicaLogDirsHandler implements RequestHandler {
  private final Topics topics;

  AlterReplicaLogDirsHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    Map<String, AlterReplicaLogDirTopicResult> results = new LinkedHashMap<>();
    for (AlterReplicaLogDir wanted : request.body(AlterReplicaLogDirsRequest.class).data().dirs()) {
      for (AlterReplicaLogDirTopic topic : wanted.topics()) {
        AlterReplicaLogDirTopicResult result =
            results.computeIfAbsent(
                topic.name(), name -> new AlterReplicaLogDirTopicResult().setTopicName(name));
        for (int index : topic.partitions()) {
          result
              .partitions()
              .add(
                  new AlterReplicaLogDirPartitionResult()
                      .setPartitionIndex(index)
                      .setErrorCode(move(topic.name(), index, wanted.path()).code()));
        }
      }
    }
    AlterReplicaLogDirsResponseData body = new AlterReplicaLogDirsResponseData();
    body.results().addAll(results.values());
    answer.complete(body);
  }

  private Errors move(String topic, int index, String directory) {
    boolean isKnown =
        topics.node().directoryIds().keySet().stream().anyMatch(path -> isNamed(path, directory));
    if (!isKnown) {
      return Errors.LOG_DIR_NOT_FOUND;
    }
    Found found = Found.named(topics, topic, index);
    if (!found.isUsable()) {
      return found.error();
    }
    return isNamed(found.log().directory().getParent(), directory)
        ? Errors.NONE
        : Errors.KAFKA_STORAGE_ERROR;
  }

  /** As in Kafka, only the absolute path names a directory. */
  private static boolean isNamed(Path path, String name) {
    return path.toAbsolutePath().toString().equals(name);
  }
}
