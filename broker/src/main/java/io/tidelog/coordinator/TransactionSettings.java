package io.tidelog.coordinator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.transaction.AddPartitionsToTxnConfig;
import org.apache.kafka.coordinator.transaction.TransactionLogConfig;
import org.apache.kafka.coordinator.transaction.TransactionStateManagerConfig;

/**
 * The settings of transactions ({@code transaction.*}, {@code transactional.id.expiration.ms},
 * {@code add.partitions.to.txn.*}) under Kafka's names and with its defaults.
 */
public final class TransactionSettings {
  private static final List<ConfigDef> KAFKAS =
      List.of(
          TransactionStateManagerConfig.CONFIG_DEF,
          TransactionLogConfig.CONFIG_DEF,
          AddPartitionsToTxnConfig.CONFIG_DEF);

  /**
   * Two-phase commit is not offered, there is one replica, and how often logs look for producers to
   * forget is not a setting.
   */
  private static final List<String> NOT_OFFERED =
      List.of(
          TransactionStateManagerConfig.TRANSACTIONS_2PC_ENABLED_CONFIG,
          TransactionLogConfig.TRANSACTIONS_TOPIC_REPLICATION_FACTOR_CONFIG,
          TransactionLogConfig.PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS_CONFIG);

  private static final Map<String, ConfigKey> OFFERED = offered();

  private final TransactionStateManagerConfig states;
  private final TransactionLogConfig log;
  private final AddPartitionsToTxnConfig joining;

  private TransactionSettings(Map<String, String> set) {
    states =
        new TransactionStateManagerConfig(
            new AbstractConfig(TransactionStateManagerConfig.CONFIG_DEF, set, false));
    log = new TransactionLogConfig(new AbstractConfig(TransactionLogConfig.CONFIG_DEF, set, false));
    joining =
        new AddPartitionsToTxnConfig(
            new AbstractConfig(AddPartitionsToTxnConfig.CONFIG_DEF, set, false));
  }

  private static Map<String, ConfigKey> offered() {
    Map<String, ConfigKey> keys = new TreeMap<>();
    KAFKAS.forEach(definition -> keys.putAll(definition.configKeys()));
    keys.keySet().removeAll(NOT_OFFERED);
    return keys;
  }

  /**
   * Picks the settings of transactions from all server-level settings that somebody set.
   *
   * @throws IllegalArgumentException if a value is out of bounds, with its name
   */
  public static TransactionSettings of(Map<String, String> serverSettings) {
    Map<String, String> ours = new HashMap<>(serverSettings);
    ours.keySet().retainAll(OFFERED.keySet());
    try {
      return new TransactionSettings(ours);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The names of the settings that take effect here. */
  public static Set<String> names() {
    return OFFERED.keySet();
  }

  /** The settings that take effect here, with their types and defaults. */
  public static List<ConfigKey> keys() {
    return List.copyOf(OFFERED.values());
  }

  /** How long a produce tries again before it tells that the transaction before is not over. */
  public int joinPatienceMs() {
    return joining.addPartitionsToTxnRetryBackoffMaxMs();
  }

  /** How long it waits between two tries. */
  public int joinBackoffMs() {
    return joining.addPartitionsToTxnRetryBackoffMs();
  }

  /** Whether producers that add partitions themselves are checked to have done so. */
  boolean verifiesPartitions() {
    return log.transactionPartitionVerificationEnable();
  }

  int loadBufferBytes() {
    return log.transactionLoadBufferSize();
  }

  int maxTimeoutMs() {
    return states.transactionMaxTimeoutMs();
  }

  int idExpirationMs() {
    return states.transactionalIdExpirationMs();
  }

  int timeoutCheckMs() {
    return states.transactionAbortTimedOutTransactionCleanupIntervalMs();
  }

  int expiryCheckMs() {
    return states.transactionRemoveExpiredTransactionalIdCleanupIntervalMs();
  }
}
