package io.tidelog.handler;

import io.tidelog.disk.Disk;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.store.MovingLog;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeLogDirsRequest;

/** Tells what each data directory holds and how much more it can. */
public final class DescribeLogDirsHandler implements RequestHandler {
  private final Topics topics;
  private final Disk disk;
  private final Executor background;

  /**
   * @param background where the disk is asked
   */
  public DescribeLogDirsHandler(Topics topics, Disk disk, Executor background) {
    this.topics = topics;
    this.disk = disk;
    this.background = background;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeLogDirsRequest asked = request.body(DescribeLogDirsRequest.class);
    Background.answer(background, answer, () -> answer.complete(describe(asked)));
  }

  private DescribeLogDirsResponseData describe(DescribeLogDirsRequest asked) {
    Map<Path, Map<String, DescribeLogDirsTopic>> held = new TreeMap<>();
    topics.node().directoryIds().keySet().forEach(path -> held.put(path, new TreeMap<>()));
    Wanted wanted = Wanted.by(asked);
    for (Topic topic : topics.all()) {
      for (Partition partition : topic.partitions()) {
        if (wanted.contains(topic.name(), partition.index())) {
          add(held.get(partition.log().directory().getParent()), topic, partition);
        }
      }
    }
    for (MovingLog moving : topics.places().moving()) {
      var partition = moving.partition();
      if (wanted.contains(partition.topic(), partition.partition())) {
        partitions(held.get(moving.directory()), partition.topic()).add(copy(moving));
      }
    }
    DescribeLogDirsResponseData body = new DescribeLogDirsResponseData();
    held.forEach((path, found) -> body.results().add(result(path, found)));
    return body;
  }

  private static void add(
      Map<String, DescribeLogDirsTopic> held, Topic topic, Partition partition) {
    partitions(held, topic.name())
        .add(
            new DescribeLogDirsPartition()
                .setPartitionIndex(partition.index())
                .setPartitionSize(partition.log().sizeBytes()));
  }

  private static List<DescribeLogDirsPartition> partitions(
      Map<String, DescribeLogDirsTopic> held, String topic) {
    return held.computeIfAbsent(topic, name -> new DescribeLogDirsTopic().setName(name))
        .partitions();
  }

  private static DescribeLogDirsPartition copy(MovingLog moving) {
    return new DescribeLogDirsPartition()
        .setPartitionIndex(moving.partition().partition())
        .setPartitionSize(moving.copiedBytes())
        .setOffsetLag(moving.offsetLag())
        .setIsFutureKey(true);
  }

  private DescribeLogDirsResult result(Path path, Map<String, DescribeLogDirsTopic> held) {
    DescribeLogDirsResult result =
        new DescribeLogDirsResult()
            .setLogDir(path.toAbsolutePath().toString())
            .setTopics(List.copyOf(held.values()));
    try {
      return result.setTotalBytes(disk.totalBytes(path)).setUsableBytes(disk.usableBytes(path));
    } catch (IOException e) {
      return result.setErrorCode(Errors.KAFKA_STORAGE_ERROR.code());
    }
  }

  /** The partitions that a request is about. */
  private record Wanted(boolean isAll, Set<TopicPartition> partitions) {
    static Wanted by(DescribeLogDirsRequest asked) {
      if (asked.isAllTopicPartitions()) {
        return new Wanted(true, Set.of());
      }
      Set<TopicPartition> partitions = new HashSet<>();
      asked
          .data()
          .topics()
          .forEach(
              topic ->
                  topic
                      .partitions()
                      .forEach(index -> partitions.add(new TopicPartition(topic.topic(), index))));
      return new Wanted(false, partitions);
    }

    boolean contains(String topic, int partition) {
      return isAll || partitions.contains(new TopicPartition(topic, partition));
    }
  }
}
