package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.io.Closeable;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchRequest;

/**
 * Reads for consumers. The answer carries slices of the segment files, which leave from there; a
 * fetch that finds too little waits for more. A client that reads many partitions need not name
 * them each time: it gets a session ({@link FetchSessions}), and answers that tell of changes only.
 */
public final class FetchHandler implements RequestHandler, Closeable {
  private final Topics topics;
  private final AdvertisedAddress address;
  private final FetchSessions sessions;
  private final int maxBytes;
  private final EngineErrors errors;
  private final ParkedFetches parked = new ParkedFetches();

  /**
   * @param address where clients are told to find this broker
   * @param maxBytes most bytes of records in one answer (fetch.max.bytes), but for a larger first
   *     batch
   */
  public FetchHandler(
      Topics topics, AdvertisedAddress address, FetchSessions sessions, int maxBytes) {
    this.topics = topics;
    this.address = address;
    this.sessions = sessions;
    this.maxBytes = maxBytes;
    this.errors = new EngineErrors(topics);
  }

  @Override
  public void handle(Request request, Answer answer) {
    FetchRequest asked = request.body(FetchRequest.class);
    Isolation.check(asked.data().isolationLevel());
    if (asked.metadata().isFull()) {
      serve(request, answer, startAnew(asked));
    } else {
      resume(request, answer, asked);
    }
  }

  /** Answers the fetches that wait; none waits from now on. */
  @Override
  public void close() {
    parked.close();
  }

  private void serve(Request request, Answer answer, FetchContext context) {
    FetchSurroundings around =
        new FetchSurroundings(maxBytes, errors, topics.node().nodeId(), request.peer(), address);
    Fetch fetch = new Fetch(request.body(FetchRequest.class), context, around);
    fetch.locate(topics);
    FetchWait.start(fetch, parked, request.loop(), answer);
  }

  /** All partitions are named: what was before is over. */
  private FetchContext startAnew(FetchRequest asked) {
    FetchMetadata metadata = asked.metadata();
    if (metadata.sessionId() != FetchSessions.NONE) {
      sessions.close(metadata.sessionId());
    }
    FetchedPartitions partitions = FetchedPartitions.of(asked.data());
    return metadata.epoch() == FetchMetadata.FINAL_EPOCH
        ? new FetchContext.Alone(partitions)
        : new FetchContext.First(sessions, FetchSession.Naming.at(asked.version()), partitions);
  }

  /** What has changed is named: the rest stands in the session. */
  private void resume(Request request, Answer answer, FetchRequest asked) {
    FetchMetadata metadata = asked.metadata();
    FetchSession session = sessions.find(metadata.sessionId());
    Errors error =
        session == null
            ? Errors.FETCH_SESSION_ID_NOT_FOUND
            : session.advance(asked.version(), asked.data());
    if (error != Errors.NONE) {
      answer.complete(new FetchResponseData().setErrorCode(error.code()));
      return;
    }
    int count = session.partitions().count();
    if (count == 0) {
      sessions.close(session.id());
      serve(request, answer, new FetchContext.Alone(FetchedPartitions.of(asked.data())));
    } else {
      sessions.used(session, count);
      serve(request, answer, new FetchContext.Next(session, metadata.epoch()));
    }
  }
}
