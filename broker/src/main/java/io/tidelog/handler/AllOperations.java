package io.tidelog.handler;

import java.util.List;
import org.apache.kafka.common.acl.AclOperation;

/** What a client may do where there are no access rules: everything, as the protocol's bit sets. */
final class AllOperations {
  /** On a topic. */
  static final int ON_TOPIC =
      bits(
          List.of(
              AclOperation.READ,
              AclOperation.WRITE,
              AclOperation.CREATE,
              AclOperation.DELETE,
              AclOperation.ALTER,
              AclOperation.DESCRIBE,
              AclOperation.DESCRIBE_CONFIGS,
              AclOperation.ALTER_CONFIGS));

  /** On the cluster. */
  static final int ON_CLUSTER =
      bits(
          List.of(
              AclOperation.CREATE,
              AclOperation.ALTER,
              AclOperation.DESCRIBE,
              AclOperation.CLUSTER_ACTION,
              AclOperation.DESCRIBE_CONFIGS,
              AclOperation.ALTER_CONFIGS,
              AclOperation.IDEMPOTENT_WRITE));

  /** On a group. */
  static final int ON_GROUP =
      bits(
          List.of(
              AclOperation.READ,
              AclOperation.DELETE,
              AclOperation.DESCRIBE,
              AclOperation.DESCRIBE_CONFIGS,
              AclOperation.ALTER_CONFIGS));

  private AllOperations() {}

  private static int bits(List<AclOperation> operations) {
    return operations.stream().mapToInt(operation -> 1 << operation.code()).sum();
  }
}
