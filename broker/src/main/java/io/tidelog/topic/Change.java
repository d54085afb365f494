package io.tidelog.topic;

import java.util.List;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Something that somebody wants changed. Looks at the image and decides; does nothing itself.
 *
 * @param <T> what the asker is told
 */
@FunctionalInterface
interface Change<T> {

  /**
   * Decides on this image, to which no other change comes in between.
   *
   * @throws org.apache.kafka.common.errors.ApiException if the whole change is refused
   */
  Decision<T> decide(MetadataImage image);

  /**
   * A decision.
   *
   * @param records what to append to the metadata log; may be empty
   * @param answer told to the asker once the records are in effect
   */
  record Decision<T>(List<ApiMessageAndVersion> records, T answer) {}
}
