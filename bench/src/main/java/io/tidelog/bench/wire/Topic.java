package io.tidelog.bench.wire;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/**
 * A topic that was created for a load.
 *
 * @param port of its broker
 * @param name its name
 * @param id its id
 * @param partitions how many it has
 */
public record Topic(int port, String name, Uuid id, int partitions) {
  private static final int WAIT_MS = 300_000;

  /** Creates it; all partitions are served when it returns. */
  public static Topic create(int port, String name, int partitions, Map<String, String> configs)
      throws Exception {
    NewTopic wanted =
        new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
    try (Admin admin = admin(port)) {
      CreateTopicsResult created = admin.createTopics(List.of(wanted));
      Topic topic = new Topic(port, name, created.topicId(name).get(), partitions);
      EndOffsets.awaitServed(topic);
      return topic;
    }
  }

  /** Deletes it. */
  public void delete() throws ExecutionException, InterruptedException {
    try (Admin admin = admin(port)) {
      admin.deleteTopics(List.of(name)).all().get();
    }
  }

  private static Admin admin(int port) {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:" + port,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            WAIT_MS,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            WAIT_MS));
  }
}
