package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.io.Closeable;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;

/**
 * Reads for consumers. The answer carries slices of the segment files, which leave by sendfile; a
 * fetch that finds too little waits for more.
 *
 * <p>There are no fetch sessions: every full fetch is answered with session id 0, as by a broker
 * whose session cache is full, and an incremental one with FETCH_SESSION_ID_NOT_FOUND.
 */
public final class FetchHandler implements RequestHandler, Closeable {
  private static final short FIRST_VERSION_WITH_TOPIC_IDS = 13;
  private static final byte READ_COMMITTED = 1;

  private final Topics topics;
  private final EngineErrors errors;
  private final ParkedFetches parked = new ParkedFetches();
  private final int maxBytes;

  /**
   * @param maxBytes most bytes of records in one answer (fetch.max.bytes), but for a larger first
   *     batch
   */
  public FetchHandler(Topics topics, int maxBytes) {
    this.topics = topics;
    this.errors = new EngineErrors(topics);
    this.maxBytes = maxBytes;
  }

  @Override
  public void handle(Request request, Answer answer) {
    FetchRequest asked = request.body(FetchRequest.class);
    byte isolation = asked.data().isolationLevel();
    if (!asked.metadata().isFull()) {
      answer.complete(
          new FetchResponseData().setErrorCode(Errors.FETCH_SESSION_ID_NOT_FOUND.code()));
    } else if (isolation < 0 || isolation > READ_COMMITTED) {
      answer.fail(new InvalidRequestException("unknown isolation level " + isolation));
    } else {
      FetchWait.start(fetch(asked), parked, request.loop(), answer);
    }
  }

  /** Answers the fetches that wait; none waits from now on. */
  @Override
  public void close() {
    parked.close();
  }

  private Fetch fetch(FetchRequest asked) {
    Fetch fetch = new Fetch(asked, maxBytes, errors);
    for (FetchTopic topic : asked.data().topics()) {
      fetch.addTopic(topic);
      for (FetchPartition partition : topic.partitions()) {
        fetch.addPartition(partition, find(asked, topic, partition));
      }
    }
    return fetch;
  }

  private Found find(FetchRequest asked, FetchTopic topic, FetchPartition partition) {
    Found found =
        asked.version() < FIRST_VERSION_WITH_TOPIC_IDS
            ? Found.named(topics, topic.topic(), partition.partition())
            : Found.identified(topics, topic.topicId(), partition.partition());
    Found current = found.checkEpoch(partition.currentLeaderEpoch());
    return asked.isFromFollower() && current.isUsable()
        ? current.refused(errorForFollower(partition))
        : current;
  }

  /** There is one replica of everything, so nobody may fetch as another one. */
  private static Errors errorForFollower(FetchPartition partition) {
    return partition.currentLeaderEpoch() < 0
        ? Errors.NOT_LEADER_OR_FOLLOWER
        : Errors.UNKNOWN_LEADER_EPOCH;
  }
}
