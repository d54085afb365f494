package io.tidelog.topic;

import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/**
 * Hears of changes of topics and configs, in order, after lookups show them and before the change
 * is answered. Called on the thread that makes the changes: must be quick, must not wait for
 * another change, must not throw.
 */
public interface TopicsListener {

  /** The image was {@code delta.image()} and is now {@code image}. */
  void changed(MetadataDelta delta, MetadataImage image);

  /** This topic is gone: no lookup finds it any more, its logs are closed. */
  default void deleted(Topic topic) {}
}
