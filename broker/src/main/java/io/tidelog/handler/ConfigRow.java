package io.tidelog.handler;

import io.tidelog.topic.ConfigValue;
import java.util.List;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.metadata.KafkaConfigSchema;

/**
 * One config as it is described.
 *
 * @param key its key
 * @param value the value that counts, as text; null if it has none
 * @param values every value that is set for it or is its default, the one that counts first; may be
 *     empty
 * @param isReadOnly whether it can be changed while the broker runs
 */
record ConfigRow(ConfigKey key, String value, List<ConfigValue> values, boolean isReadOnly) {

  String name() {
    return key.name;
  }

  /** The wire's code for where the value that counts was set. */
  byte source() {
    return values.isEmpty() ? code(ConfigSource.DEFAULT_CONFIG) : code(values.get(0).source());
  }

  /** The row as an answer has it. */
  DescribeConfigsResourceResult described(DescribeConfigsRequestData asked) {
    boolean isSensitive = key.type.isSensitive();
    DescribeConfigsResourceResult row =
        new DescribeConfigsResourceResult()
            .setName(key.name)
            .setValue(isSensitive ? null : value)
            .setConfigSource(source())
            .setIsSensitive(isSensitive)
            .setReadOnly(isReadOnly)
            .setConfigType(type());
    if (asked.includeSynonyms()) {
      row.setSynonyms(values.stream().map(set -> synonym(set, isSensitive)).toList());
    }
    return asked.includeDocumentation() ? row.setDocumentation(key.documentation) : row;
  }

  private static DescribeConfigsSynonym synonym(ConfigValue set, boolean isSensitive) {
    return new DescribeConfigsSynonym()
        .setName(set.name())
        .setValue(isSensitive ? null : set.value())
        .setSource(code(set.source()));
  }

  private byte type() {
    return DescribeConfigsResponse.ConfigType.valueOf(key.type.name()).id();
  }

  private static byte code(ConfigSource source) {
    return KafkaConfigSchema.translateConfigSource(source).id();
  }
}
