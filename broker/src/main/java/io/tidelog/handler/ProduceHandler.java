package io.tidelog.handler;

import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.PeerFaults;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what producers send: at most one batch for each partition, straight from the receive
 * buffer. See {@link ProduceRun} for one request.
 */
public final class ProduceHandler implements RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProduceHandler.class);

  private final Topics topics;
  private final Transactions transactions;
  private final EngineErrors errors;
  private final PeerFaults faults = new PeerFaults(LOG::info, System::nanoTime);

  public ProduceHandler(Topics topics, Transactions transactions) {
    this.topics = topics;
    this.transactions = transactions;
    this.errors = new EngineErrors(topics);
  }

  @Override
  public void handle(Request request, Answer answer) {
    new ProduceRun(request, answer, errors, faults, transactions).start(topics);
  }
}
