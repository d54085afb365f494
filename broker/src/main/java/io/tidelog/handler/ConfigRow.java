package io.tidelog.handler;

import io.tidelog.topic.ConfigValue;
import java.util.List;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.metadata.KafkaConfigSchema;

/**
 * One config as it is described. A secret one has no value in the answer.
 *
 * @param setting its name and type
 * @param documentation what it does; null if nobody says
 * @param value the value that counts, as text; null if it has none
 * @param values every value that is set for it, and its default, the one that counts first; may be
 *     empty
 * @param isReadOnly whether it is fixed while the broker runs
 */
record ConfigRow(
    ServerSetting setting,
    String documentation,
    String value,
    List<ConfigValue> values,
    boolean isReadOnly) {

  String name() {
    return setting.name();
  }

  /** The wire's code for where the value that counts was set. */
  byte source() {
    return code(values.isEmpty() ? ConfigSource.DEFAULT_CONFIG : values.get(0).source());
  }

  /** The row as an answer has it. */
  DescribeConfigsResourceResult described(DescribeConfigsRequestData asked) {
    DescribeConfigsResourceResult row =
        new DescribeConfigsResourceResult()
            .setName(name())
            .setValue(told(value))
            .setIsSensitive(setting.isSecret())
            .setConfigSource(source())
            .setReadOnly(isReadOnly)
            .setConfigType(code(setting.type()));
    if (asked.includeSynonyms()) {
      row.setSynonyms(values.stream().map(this::synonym).toList());
    }
    // The message's own default is an empty text.
    return row.setDocumentation(asked.includeDocumentation() ? documentation : null);
  }

  private String told(String text) {
    return setting.isSecret() ? null : text;
  }

  private DescribeConfigsSynonym synonym(ConfigValue set) {
    return new DescribeConfigsSynonym()
        .setName(set.name())
        .setValue(told(set.value()))
        .setSource(code(set.source()));
  }

  private static byte code(ConfigDef.Type type) {
    return type == null
        ? DescribeConfigsResponse.ConfigType.UNKNOWN.id()
        : DescribeConfigsResponse.ConfigType.valueOf(type.name()).id();
  }

  private static byte code(ConfigSource source) {
    return KafkaConfigSchema.translateConfigSource(source).id();
  }
}
