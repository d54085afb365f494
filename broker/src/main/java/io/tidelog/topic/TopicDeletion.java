package io.tidelog.topic;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides on wishes to delete topics, each for itself. */
final class TopicDeletion {
  private TopicDeletion() {}

  static Change.Decision<List<Outcome<Void>>> decide(MetadataImage image, List<Uuid> ids) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    List<Outcome<Void>> answers = new ArrayList<>();
    Set<Uuid> gone = new HashSet<>();
    for (Uuid id : ids) {
      if (image.topics().getTopic(id) == null || !gone.add(id)) {
        answers.add(
            Outcome.refused(new UnknownTopicIdException("There is no topic with id " + id + ".")));
      } else {
        records.add(record(id));
        answers.add(Outcome.of(null));
      }
    }
    return new Change.Decision<>(records, answers);
  }

  static ApiMessageAndVersion record(Uuid id) {
    return new ApiMessageAndVersion(new RemoveTopicRecord().setTopicId(id), (short) 0);
  }
}
