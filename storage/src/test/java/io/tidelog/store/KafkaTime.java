package io.tidelog.store;

import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Time;

/** A clock of the test's choice for Kafka's code, which does not sleep on it. */
record KafkaTime(LongSupplier clockMs) implements Time {
  @Override
  public long milliseconds() {
    return clockMs.getAsLong();
  }

  @Override
  public long nanoseconds() {
    return milliseconds() * 1_000_000;
  }

  @Override
  public void sleep(long ms) {
    throw new UnsupportedOperationException("nobody moves this clock while Kafka sleeps");
  }
}
