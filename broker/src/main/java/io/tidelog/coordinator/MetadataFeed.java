package io.tidelog.coordinator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes changes of topics and group configs on to a running coordinator, in order.
 *
 * <p>A change is passed on at once, so that a topic whose creation has been answered is known to
 * the groups. But the coordinator blocks while it drops the offsets of a deleted topic: such a
 * change, and what comes before it is through, goes by way of the executor. That thread loads logs
 * too, so that a deletion also meets the offsets of partitions that were being loaded.
 */
final class MetadataFeed {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataFeed.class);

  private final GroupCoordinator coordinator;
  private final Executor executor;
  private int handedOver;
  private boolean open;

  MetadataFeed(GroupCoordinator coordinator, Executor executor) {
    this.coordinator = coordinator;
    this.executor = executor;
  }

  /** Gives a coordinator that knows nothing yet its first image; changes that come later follow. */
  synchronized void open(Supplier<MetadataImage> current) {
    open = true;
    MetadataImage image = current.get();
    coordinator.onMetadataUpdate(new MetadataDelta.Builder().setImage(image).build(), image);
    image.configs().resourceData().keySet().forEach(resource -> updateConfig(resource, image));
  }

  /**
   * Passes a change on.
   *
   * @param current the image after the change, or a later one
   */
  synchronized void changed(MetadataDelta delta, Supplier<MetadataImage> current) {
    if (!open) {
      return;
    }
    MetadataImage image = current.get();
    if (handedOver == 0 && !deletesTopics(delta)) {
      pass(delta, image);
    } else {
      handedOver++;
      executor.execute(
          () -> {
            pass(delta, image);
            passed();
          });
    }
  }

  static boolean deletesTopics(MetadataDelta delta) {
    return delta.topicsDelta() != null && !delta.topicsDelta().deletedTopicIds().isEmpty();
  }

  private void pass(MetadataDelta delta, MetadataImage image) {
    try {
      coordinator.onMetadataUpdate(delta, image);
      if (delta.configsDelta() != null) {
        delta.configsDelta().changes().keySet().forEach(resource -> updateConfig(resource, image));
      }
    } catch (RuntimeException e) {
      LOG.error("The group coordinator did not take in the metadata up to {}", image.offset(), e);
    }
  }

  private void updateConfig(ConfigResource resource, MetadataImage image) {
    if (resource.type() == ConfigResource.Type.GROUP) {
      coordinator.updateGroupConfig(resource.name(), image.configs().configProperties(resource));
    }
  }

  private synchronized void passed() {
    handedOver--;
  }

  /** Takes nothing more; done when what was handed over is through. */
  synchronized CompletableFuture<Void> close() {
    open = false;
    return handedOver == 0
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.runAsync(() -> {}, executor);
  }
}
