package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.testkit.Property;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is done to a log, in any order, it stays what its model says: for readers at any offset
 * and of either isolation, for searches by time, for producers, and after every stop and power cut.
 * {@code ./dev fuzz ops} looks longer.
 */
class LogOperationsPropertyTest {
  private static final int RUNS = 150;
  private static final int OPERATIONS = 80;

  @ParameterizedTest
  @ValueSource(strings = {"page-cache", "fsync"})
  void a_log_is_what_its_model_says_whatever_is_done_to_it(String durability) {
    property("a log with " + durability + " durability is what its model says")
        .holds(
            operations ->
                live(operations, LogAndModel.start(durability, CommittedReader.honest())));
  }

  @Test
  void canary_a_disk_that_loses_a_byte_of_what_was_synced_is_found_out() {
    isFoundOut(
        operations -> {
          LogAndModel both = LogAndModel.start("fsync", CommittedReader.honest());
          both.loseBytesInCrashes();
          live(operations, both);
        });
  }

  @Test
  void canary_a_compaction_that_loses_a_record_is_found_out() {
    isFoundOut(
        operations -> {
          LogAndModel both = LogAndModel.start("page-cache", CommittedReader.honest());
          both.loseBatchesInCompaction();
          live(operations, both);
        });
  }

  @Test
  void canary_a_batch_that_is_lost_though_no_harm_touched_it_is_found_out() {
    isFoundOut(
        operations -> {
          LogAndModel both = LogAndModel.start("page-cache", CommittedReader.honest());
          both.harm().touchMoreThanIsSaid();
          live(operations, both);
        });
  }

  @Test
  void canary_a_client_that_does_not_pass_over_aborted_records_is_found_out() {
    isFoundOut(
        operations -> live(operations, LogAndModel.start("page-cache", CommittedReader.deaf())));
  }

  private static Property<LogOp> property(String claim) {
    return Property.<LogOp>named(claim).runs(RUNS).operations(OPERATIONS, LogOp::random);
  }

  private static void isFoundOut(Property.Claim<LogOp> falseClaim) {
    assertThatThrownBy(() -> property("this does not hold").holds(falseClaim))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("does not hold")
        .hasMessageContaining("-Dtidelog.seed=");
  }

  private static void live(List<LogOp> operations, LogAndModel both) throws Exception {
    for (LogOp operation : operations) {
      operation.doTo(both);
      if (both.isTorn()) {
        both.close();
        return;
      }
      both.reading().offsetsAgree();
    }
    both.reading().allAgrees();
    both.stop();
  }
}
