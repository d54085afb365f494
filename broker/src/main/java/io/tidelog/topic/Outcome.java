package io.tidelog.topic;

import java.util.function.Supplier;
import org.apache.kafka.common.errors.ApiException;

/**
 * What became of one of several wishes in one request: a value, or the error to answer with.
 *
 * @param value null if it failed, or if there is nothing to tell
 * @param error null if it went well
 */
public record Outcome<T>(T value, ApiException error) {

  /** It went well. */
  public static <T> Outcome<T> of(T value) {
    return new Outcome<>(value, null);
  }

  /** It was refused. */
  public static <T> Outcome<T> refused(ApiException error) {
    return new Outcome<>(null, error);
  }

  /** What the action gives or the API exception that it throws. */
  static <T> Outcome<T> from(Supplier<T> action) {
    try {
      return of(action.get());
    } catch (ApiException e) {
      return refused(e);
    }
  }

  public boolean isRefused() {
    return error != null;
  }
}
