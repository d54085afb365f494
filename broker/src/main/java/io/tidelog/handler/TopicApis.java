package io.tidelog.handler;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.disk.Disk;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.Topics;
import java.util.Collection;
import java.util.concurrent.Executor;
import org.apache.kafka.common.protocol.ApiKeys;

/** Offers the APIs about topics, their configs and the cluster. */
public final class TopicApis {
  private TopicApis() {}

  /** What any client asks for, and what administrators change. */
  public static void offer(OfferedApis.Builder apis, Topics topics, AdvertisedAddress address) {
    apis.offer(ApiKeys.METADATA, new MetadataHandler(topics, address))
        .offer(ApiKeys.DESCRIBE_CLUSTER, new DescribeClusterHandler(topics.node(), address))
        .offer(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, new DescribeTopicPartitionsHandler(topics))
        .offer(ApiKeys.CREATE_TOPICS, new CreateTopicsHandler(topics))
        .offer(ApiKeys.DELETE_TOPICS, new DeleteTopicsHandler(topics))
        .offer(ApiKeys.CREATE_PARTITIONS, new CreatePartitionsHandler(topics));
  }

  /**
   * Configs.
   *
   * @param groups the configs that groups can have
   * @param serverSettings the settings of this broker that take effect
   */
  public static void offerConfigs(
      OfferedApis.Builder apis,
      Topics topics,
      GroupConfigs groups,
      Collection<ServerSetting> serverSettings) {
    apis.offer(ApiKeys.DESCRIBE_CONFIGS, new DescribeConfigsHandler(topics, serverSettings))
        .offer(ApiKeys.ALTER_CONFIGS, new AlterConfigsHandler(topics, groups))
        .offer(
            ApiKeys.INCREMENTAL_ALTER_CONFIGS, new IncrementalAlterConfigsHandler(topics, groups))
        .offer(ApiKeys.LIST_CONFIG_RESOURCES, new ListConfigResourcesHandler(topics));
  }

  /**
   * Data directories.
   *
   * @param background where the disk is asked, and moves are begun
   */
  public static void offerLogDirs(
      OfferedApis.Builder apis, Topics topics, Disk disk, Executor background) {
    apis.offer(ApiKeys.DESCRIBE_LOG_DIRS, new DescribeLogDirsHandler(topics, disk, background))
        .offer(ApiKeys.ALTER_REPLICA_LOG_DIRS, new AlterReplicaLogDirsHandler(topics, background));
  }
}
