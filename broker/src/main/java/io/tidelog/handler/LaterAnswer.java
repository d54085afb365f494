package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiMessage;

/** Gives an answer when a future is done, on the thread that completes it. */
final class LaterAnswer {
  private final Answer answer;

  private LaterAnswer(Answer answer) {
    this.answer = answer;
  }

  static LaterAnswer to(Answer answer) {
    return new LaterAnswer(answer);
  }

  /** Answers with the result. */
  void with(CompletableFuture<? extends ApiMessage> result) {
    with(result, body -> body);
  }

  /** Answers with what is made of the result. */
  <T> void with(CompletableFuture<T> result, Function<T, ? extends ApiMessage> toBody) {
    CompletableFuture<?> unused =
        result
            .thenApply(toBody)
            .whenComplete(
                (body, failure) -> {
                  if (failure == null) {
                    answer.complete(body);
                  } else {
                    answer.fail(cause(failure));
                  }
                });
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
