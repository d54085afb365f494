package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ClientQuotaImage;
import org.apache.kafka.image.ClientQuotasImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * The changes that an administrator can ask for. Each call is one change: its records are all in
 * the metadata log or none is. Wishes within a call succeed or fail each for itself; answers come
 * in the order of the wishes. See {@link Topics} for when futures complete and how they fail.
 */
public final class TopicAdmin {

  /** Whether to do what is asked or only to say whether it could be done. */
  public enum Intent {
    CARRY_OUT,
    CHECK
  }

  private final ChangeLine line;
  private final TopicCreation creation;
  private final TopicGrowth growth;
  private final ConfigAlteration alteration;

  TopicAdmin(
      ChangeLine line, TopicCreation creation, TopicGrowth growth, ConfigAlteration alteration) {
    this.line = line;
    this.creation = creation;
    this.growth = growth;
    this.alteration = alteration;
  }

  public CompletableFuture<List<Outcome<CreatedTopic>>> create(
      List<NewTopic> wishes, Intent intent) {
    return submit(image -> creation.decide(image, wishes), intent);
  }

  public CompletableFuture<List<Outcome<Void>>> grow(List<MorePartitions> wishes, Intent intent) {
    return submit(image -> growth.decide(image, wishes), intent);
  }

  public CompletableFuture<List<Outcome<Void>>> delete(List<Uuid> ids) {
    return submit(image -> TopicDeletion.decide(image, ids), Intent.CARRY_OUT);
  }

  public CompletableFuture<Map<ConfigResource, Outcome<Void>>> alter(
      Map<ConfigResource, ConfigEdit> edits, Intent intent) {
    return submit(image -> alteration.decide(image, edits), intent);
  }

  /** Changes feature levels; fails with InvalidUpdateVersionException if one cannot be had. */
  public CompletableFuture<Void> updateFeatures(FeatureUpdate update, Intent intent) {
    return submit(image -> update.decide(image.features()), intent);
  }

  /** Changes client quotas; the edits are checked already. */
  public CompletableFuture<Void> alterQuotas(List<QuotaEdit> edits, Intent intent) {
    return submit(image -> decide(image.clientQuotas(), edits), intent);
  }

  private static Change.Decision<Void> decide(ClientQuotasImage quotas, List<QuotaEdit> edits) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    for (QuotaEdit edit : edits) {
      records.addAll(
          edit.records(quotas.entities().getOrDefault(edit.entity(), ClientQuotaImage.EMPTY)));
    }
    return new Change.Decision<>(records, null);
  }

  private <T> CompletableFuture<T> submit(Change<T> change, Intent intent) {
    return switch (intent) {
      case CARRY_OUT -> line.submit(change);
      case CHECK ->
          line.submit(image -> new Change.Decision<>(List.of(), change.decide(image).answer()));
    };
  }
}
