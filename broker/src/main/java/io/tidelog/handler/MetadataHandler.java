package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;

/**
 * Tells where topics are. A topic that is asked for by name and not there is created if the client
 * and the settings allow it; the answer then waits for it, so that it is usable at once.
 */
public final class MetadataHandler implements RequestHandler {
  private static final short FIRST_VERSION_THAT_ASKS_BY_ID = 12;

  private final Topics topics;
  private final AdvertisedAddress address;

  public MetadataHandler(Topics topics, AdvertisedAddress address) {
    this.topics = topics;
    this.address = address;
  }

  @Override
  public void handle(Request request, Answer answer) {
    MetadataRequest asked = request.body(MetadataRequest.class);
    List<CompletableFuture<MetadataResponseTopic>> found = new ArrayList<>();
    if (asked.isAllTopics()) {
      topics.all().forEach(topic -> found.add(done(MetadataTopics.of(topics.node(), topic))));
    } else {
      checkTopics(asked);
      Set<Uuid> ids = new LinkedHashSet<>(asked.topicIds());
      ids.remove(Uuid.ZERO_UUID);
      if (ids.isEmpty()) {
        new LinkedHashSet<>(asked.topics()).forEach(name -> found.add(byName(name, asked)));
      } else {
        ids.forEach(id -> found.add(done(byId(id))));
      }
    }
    LaterAnswer.to(answer)
        .with(
            CompletableFuture.allOf(found.toArray(CompletableFuture[]::new)),
            done ->
                new MetadataTopics(topics.node(), address.of(request.peer()))
                    .answer(asked, found.stream().map(CompletableFuture::join).toList()));
  }

  private static void checkTopics(MetadataRequest asked) {
    if (asked.version() >= FIRST_VERSION_THAT_ASKS_BY_ID) {
      return;
    }
    for (MetadataRequestTopic topic : asked.data().topics()) {
      if (topic.name() == null) {
        throw new InvalidRequestException(
            "Topic name can not be null for version " + asked.version());
      }
      if (!topic.topicId().equals(Uuid.ZERO_UUID)) {
        throw new InvalidRequestException(
            "Topic IDs are not supported in requests for version " + asked.version());
      }
    }
  }

  private MetadataResponseTopic byId(Uuid id) {
    return topics
        .find(id)
        .map(topic -> MetadataTopics.of(topics.node(), topic))
        .orElseGet(() -> MetadataTopics.missing(null, Errors.UNKNOWN_TOPIC_ID).setTopicId(id));
  }

  private CompletableFuture<MetadataResponseTopic> byName(String name, MetadataRequest asked) {
    if (name == null) {
      return done(MetadataTopics.missing("", Errors.INVALID_TOPIC_EXCEPTION));
    }
    CompletableFuture<Topic> topic =
        asked.allowAutoTopicCreation() ? topics.findOrCreate(name) : find(name);
    return topic.handle(
        (found, failure) ->
            failure == null
                ? MetadataTopics.of(topics.node(), found)
                : MetadataTopics.missing(
                    name, Errors.forException(Errors.maybeUnwrapException(failure))));
  }

  private CompletableFuture<Topic> find(String name) {
    return topics
        .find(name)
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> CompletableFuture.failedFuture(whyMissing(name)));
  }

  private static RuntimeException whyMissing(String name) {
    try {
      org.apache.kafka.common.internals.Topic.validate(name);
      return Errors.UNKNOWN_TOPIC_OR_PARTITION.exception();
    } catch (InvalidTopicException e) {
      return e;
    }
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
