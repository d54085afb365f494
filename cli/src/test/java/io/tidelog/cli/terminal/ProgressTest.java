package io.tidelog.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong nanoClock = new AtomicLong(-7);

  private Progress progress(Streams.ErrorOutput errors) {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return Progress.of(
        new Streams(InputStream.nullInputStream(), stream, stream, errors),
        nanoClock::get,
        "records");
  }

  private String shown() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void short_work_is_not_spoken_of() {
    try (Progress progress = progress(Streams.ErrorOutput.TERMINAL)) {
      nanoClock.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
      progress.at(10);
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void long_work_is_shown_now_and_then_and_taken_away_at_the_end() {
    try (Progress progress = progress(Streams.ErrorOutput.TERMINAL)) {
      nanoClock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      progress.at(1_000, 4_000);
      progress.at(1_001, 4_000);
      nanoClock.addAndGet(TimeUnit.MILLISECONDS.toNanos(300));
      progress.at(2_000);
    }
    assertThat(shown())
        .isEqualTo("\r\033[K1,000 of 4,000 records (25 %)" + "\r\033[K2,000 records" + "\r\033[K");
  }

  @Test
  void a_file_gets_no_progress() {
    try (Progress progress = progress(Streams.ErrorOutput.REDIRECTED)) {
      nanoClock.addAndGet(TimeUnit.HOURS.toNanos(1));
      progress.at(5);
    }
    assertThat(shown()).isEmpty();
  }
}
