package io.tidelog.topic;

import java.util.Map;

/** A change of the configs that are set on one resource. */
@FunctionalInterface
public interface ConfigEdit {

  /**
   * The configs that are to be set, given those that are.
   *
   * @throws org.apache.kafka.common.errors.ApiException if it cannot be done
   */
  Map<String, String> apply(Map<String, String> current);
}
