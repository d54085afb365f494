package io.tidelog.broker;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Settings of a Kafka node that, at some values, ask for no more than what a broker alone is and
 * does anyway. A {@code server.properties} may hold them; nothing need be said of it.
 */
final class SingleNodeValues {
  private static final Map<String, Predicate<String>> SO =
      Map.ofEntries(
          Map.entry("process.roles", SingleNodeValues::isBoth),
          Map.entry("controller.quorum.voters", SingleNodeValues::isOneEntry),
          Map.entry("controller.quorum.bootstrap.servers", SingleNodeValues::isOneEntry),
          Map.entry("inter.broker.listener.name", value -> true),
          Map.entry("security.inter.broker.protocol", "PLAINTEXT"::equals),
          Map.entry("default.replication.factor", "1"::equals),
          Map.entry("min.insync.replicas", "1"::equals),
          Map.entry("unclean.leader.election.enable", "false"::equalsIgnoreCase),
          Map.entry("offsets.topic.replication.factor", "1"::equals),
          Map.entry("transaction.state.log.replication.factor", "1"::equals),
          Map.entry("share.coordinator.state.topic.replication.factor", "1"::equals),
          Map.entry("share.coordinator.state.topic.min.isr", "1"::equals),
          // Kafka's default, which its own file repeats.
          Map.entry("num.io.threads", "8"::equals));

  private SingleNodeValues() {}

  /** Whether this is so without the setting. */
  static boolean hold(String name, String value) {
    Predicate<String> so = SO.get(name);
    return so != null && so.test(value);
  }

  private static boolean isOneEntry(String list) {
    return !list.contains(",");
  }

  private static boolean isBoth(String roles) {
    return Set.copyOf(List.of(roles.split("\\s*,\\s*", -1))).equals(Set.of("broker", "controller"));
  }
}
