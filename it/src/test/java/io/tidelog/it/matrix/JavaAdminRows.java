package io.tidelog.it.matrix;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AlterConfigsResult;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;

/** What every release with an admin client can do. */
final class JavaAdminRows {
  private final JavaClient client;

  JavaAdminRows(JavaClient client) {
    this.client = client;
  }

  void metadata() throws Exception {
    String topic = client.createTopic("metadata", 3);
    try (AdminClient admin = client.admin()) {
      Node node = admin.describeCluster().nodes().get().iterator().next();
      JavaClient.checkEqual(node.host() + ":" + node.port(), client.bootstrap());
      JavaClient.checkEqual(admin.describeCluster().controller().get(), node);
      TopicDescription description = JavaClient.describe(admin, topic);
      JavaClient.checkEqual(description.partitions().size(), 3);
      JavaClient.checkEqual(description.partitions().get(2).leader(), node);
      JavaClient.checkEqual(description.partitions().get(2).isr(), List.of(node));
    }
    try (KafkaProducer<String, String> producer = client.producer(Map.of())) {
      JavaClient.checkEqual(producer.partitionsFor(topic).size(), 3);
    }
  }

  void topics() throws Exception {
    String topic = client.createTopic("topics", 2);
    try (AdminClient admin = client.admin()) {
      JavaClient.check(admin.listTopics().names().get().contains(topic), "it is listed", topic);
      try {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        throw new AssertionError("a topic was created twice");
      } catch (ExecutionException e) {
        JavaClient.checkEqual(e.getCause().getClass(), TopicExistsException.class);
      }
      admin.deleteTopics(List.of(topic)).all().get();
      JavaClient.check(!admin.listTopics().names().get().contains(topic), "it is gone", topic);
    }
  }

  void configs() throws Exception {
    String topic = client.name("configs");
    try (AdminClient admin = client.admin()) {
      NewTopic wanted =
          new NewTopic(topic, 1, (short) 1).configs(Map.of("retention.ms", "7200000"));
      admin.createTopics(List.of(wanted)).all().get();
      checkConfig(admin, topic, "7200000");
      alter(admin, topic, new ConfigEntry("retention.ms", "3600000"));
      checkConfig(admin, topic, "3600000");
    }
  }

  private static void checkConfig(AdminClient admin, String topic, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    JavaClient.checkEqual(config.get("retention.ms").value(), value);
    JavaClient.checkEqual(config.get("retention.ms").isDefault(), false);
    JavaClient.checkEqual(config.get("cleanup.policy").value(), "delete");
    JavaClient.checkEqual(config.get("cleanup.policy").isDefault(), true);
  }

  /** By the API that sets all configs, which new releases lack, or the one that alters some. */
  private static void alter(AdminClient admin, String topic, ConfigEntry entry) throws Exception {
    Method alterAll = JavaClient.method(AdminClient.class, "alterConfigs", Map.class);
    if (alterAll == null) {
      JavaNewerAdminRows.alter(admin, topic, entry);
      return;
    }
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Object result = JavaClient.call(alterAll, admin, Map.of(resource, new Config(List.of(entry))));
    ((AlterConfigsResult) result).all().get();
  }
}
