package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.testkit.Property;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Several transactional, idempotent and plain producers, aborts, deletions, cuts, clean restarts
 * and power cuts in any order: from every offset, a client of either isolation level sees what a
 * simple model says.
 */
class TransactionsAreAsTheModelSaysPropertyTest {
  @Test
  void with_acknowledgement_at_once() {
    holds("page-cache", CommittedReader.honest());
  }

  @Test
  void with_acknowledgement_after_a_sync() {
    holds("fsync", CommittedReader.honest());
  }

  @Test
  void the_check_notices_a_client_that_does_not_pass_over_aborted_records() {
    assertThatThrownBy(() -> holds("page-cache", CommittedReader.deaf()))
        .isInstanceOf(AssertionError.class)
        .hasRootCauseInstanceOf(AssertionError.class)
        .rootCause()
        .hasMessageContaining("committed records");
  }

  private static void holds(String durability, CommittedReader client) {
    Property.<TxnOp>named("transactions are as the model says, " + durability)
        .runs(150)
        .operations(70, random -> TxnOp.random(random, TxnOp.Choice.ALL))
        .holds(operations -> live(operations, durability, client));
  }

  private static void live(List<TxnOp> operations, String durability, CommittedReader client)
      throws IOException {
    TxnAndModel both = new TxnAndModel(durability, client);
    for (TxnOp operation : operations) {
      both.does(operation);
    }
    both.agree();
    both.stop();
  }
}
