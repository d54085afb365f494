package io.tidelog.bench.wire;

import java.io.IOException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Producer ids for idempotent producers. */
final class ProducerIds {
  private static final short VERSION = 4;
  private static final int MOST_TRIES = 10_000;

  private ProducerIds() {}

  /** A new one. */
  static InitProducerIdResponseData next(RawConnection connection) throws IOException {
    for (int i = 0; i < MOST_TRIES; i++) {
      InitProducerIdResponseData answer =
          new InitProducerIdResponseData(
              connection.ask(
                  ApiKeys.INIT_PRODUCER_ID,
                  VERSION,
                  new InitProducerIdRequestData()
                      .setTransactionalId(null)
                      .setTransactionTimeoutMs(60_000)),
              VERSION);
      // Just started, a broker may still be fetching its first block of ids.
      if (answer.errorCode() != Errors.COORDINATOR_LOAD_IN_PROGRESS.code()) {
        RefusedException.throwIfError("InitProducerId", answer.errorCode(), null);
        return answer;
      }
    }
    throw new RefusedException("InitProducerId was never answered with an id");
  }
}
