package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.testkit.Property;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is done to a log, it stays what the model says. */
class LogPropertyTest {
  private static final int OPERATIONS = 80;

  @ParameterizedTest
  @ValueSource(strings = {"page-cache", "fsync"})
  void a_log_is_what_its_model_says_whatever_is_done_to_it(String durability) {
    Property.<LogOp>named("a log with " + durability + " durability is what its model says")
        .runs(100)
        .operations(OPERATIONS, LogOp::random)
        .holds(operations -> check(operations, durability, false));
  }

  @Test
  void canary_a_disk_that_loses_a_byte_of_what_was_synced_is_found_out() {
    Property<LogOp> property =
        Property.<LogOp>named("nothing synced is lost")
            .runs(100)
            .operations(OPERATIONS, LogOp::random);
    assertThatThrownBy(() -> property.holds(operations -> check(operations, "fsync", true)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("does not hold");
  }

  private static void check(List<LogOp> operations, String durability, boolean losesBytes)
      throws Exception {
    Map<String, String> settings =
        Map.of(
            "segment.bytes", "900",
            "index.interval.bytes", "150",
            "retention.ms", "-1",
            "file.delete.delay.ms", "1000",
            "tidelog.durability", durability);
    LogAndModel both = LogAndModel.start(settings);
    if (losesBytes) {
      both.loseBytesInCrashes();
    }
    for (LogOp operation : operations) {
      operation.doTo(both);
      both.compareOffsets();
    }
    both.compareAll();
    both.stop();
  }
}
