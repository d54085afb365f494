package io.tidelog.coordinator;

import java.time.InstantSource;
import org.apache.kafka.common.utils.Time;

/** The broker's clock as Kafka's code asks for it. Elapsed time is the machine's. */
record ClockTime(InstantSource clock) implements Time {

  @Override
  public long milliseconds() {
    return clock.millis();
  }

  @Override
  public long nanoseconds() {
    return System.nanoTime();
  }

  @Override
  public void sleep(long ms) {
    throw new UnsupportedOperationException(
        "a coordinator waits through its timer, never by sleeping");
  }
}
