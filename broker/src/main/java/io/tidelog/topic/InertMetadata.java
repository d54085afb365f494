package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.image.MetadataImage;

/** What stands in the metadata and has no effect here: it is kept for Kafka. */
final class InertMetadata {
  private InertMetadata() {}

  /** A sentence that counts it; empty if there is none. */
  static Optional<String> in(MetadataImage image) {
    List<String> kinds = new ArrayList<>();
    count(kinds, image.acls().acls().size(), "access rules");
    count(kinds, image.clientQuotas().entities().size(), "quotas");
    count(
        kinds,
        image.scram().mechanisms().values().stream().mapToInt(Map::size).sum(),
        "SCRAM credentials");
    count(kinds, image.delegationTokens().tokens().size(), "delegation tokens");
    return kinds.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The metadata hold " + String.join(", ", kinds) + ": kept, but without effect here");
  }

  private static void count(List<String> kinds, int count, String what) {
    if (count > 0) {
      kinds.add(count + " " + what);
    }
  }
}
