package io.tidelog.handler;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.topic.ConfigEdit;
import io.tidelog.topic.Outcome;
import io.tidelog.topic.TopicAdmin;
import io.tidelog.topic.TopicAdmin.Intent;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * What a request wants of several resources.
 *
 * @param edits by resource, those that can be tried
 * @param refused by resource, the errors of the others
 */
record ConfigAlterations(
    Map<ConfigResource, ConfigEdit> edits, Map<ConfigResource, ApiError> refused) {

  /**
   * Reads the parts of a request. A resource that two parts name is refused.
   *
   * @param edit what a part wants; throws an API exception if that makes no sense
   */
  static <T> ConfigAlterations of(
      Collection<T> parts, Function<T, ConfigResource> resource, Function<T, ConfigEdit> edit) {
    Unique<ConfigResource, T> unique = Unique.of(parts, resource);
    Map<ConfigResource, ConfigEdit> edits = new LinkedHashMap<>();
    Map<ConfigResource, ApiError> refused = new HashMap<>();
    ApiError twice =
        new ApiError(Errors.INVALID_REQUEST, "Each resource must appear at most once.");
    unique.duplicates().forEach(duplicate -> refused.put(duplicate, twice));
    unique
        .parts()
        .forEach(
            (key, part) -> {
              try {
                edits.put(key, edit.apply(part));
              } catch (ApiException e) {
                refused.put(key, ApiError.fromThrowable(e));
              }
            });
    return new ConfigAlterations(edits, refused);
  }

  /** The same, where an edit of a group's configs is refused if these do not allow it. */
  ConfigAlterations checkedBy(GroupConfigs groups) {
    Map<ConfigResource, ConfigEdit> checked = new LinkedHashMap<>(edits);
    checked.replaceAll(
        (resource, edit) ->
            resource.type() == ConfigResource.Type.GROUP ? checked(edit, groups) : edit);
    return new ConfigAlterations(checked, refused);
  }

  private static ConfigEdit checked(ConfigEdit edit, GroupConfigs groups) {
    return current -> {
      Map<String, String> wanted = edit.apply(current);
      groups.check(wanted);
      return wanted;
    };
  }

  /** Tries the edits; the result has every resource of the request. */
  CompletableFuture<Map<ConfigResource, ApiError>> apply(TopicAdmin admin, Intent intent) {
    return admin.alter(edits, intent).thenApply(this::all);
  }

  private Map<ConfigResource, ApiError> all(Map<ConfigResource, Outcome<Void>> outcomes) {
    Map<ConfigResource, ApiError> all = new HashMap<>(refused);
    outcomes.forEach((resource, outcome) -> all.put(resource, Refusal.of(outcome)));
    return all;
  }

  /** Refuses a config that is named twice. */
  static <T> Collection<T> eachOnce(Collection<T> configs, Function<T, String> name) {
    if (!Unique.of(configs, name).duplicates().isEmpty()) {
      throw new InvalidRequestException("Error due to duplicate config keys");
    }
    return configs;
  }
}
