package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.Property;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random life of a partition with plain, idempotent and transactional producers in Kafka's
 * hands and in ours: offsets, aborted lists and files are the same at any moment, and each opens
 * what the other left.
 */
class TransactionsAgreeWithKafkaPropertyTest {
  @TempDir Path temporary;
  private int round;

  @Test
  void with_acknowledgement_at_once() {
    holds("transactions are as in Kafka", "page-cache", TxnOp.Choice.CUTS, 16);
  }

  @Test
  void with_delayed_acknowledgement() {
    holds("transactions are as in Kafka while acks wait", "fsync", TxnOp.Choice.DELETES, 16);
  }

  private void holds(String claim, String durability, TxnOp.Choice choice, int runs) {
    Property.<TxnOp>named(claim)
        .runs(runs)
        .operations(60, random -> TxnOp.random(random, choice))
        .holds(operations -> live(operations, durability));
  }

  private void live(List<TxnOp> operations, String durability) throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("round" + round++));
    try (OursAndKafkas both = new OursAndKafkas(folder, durability)) {
      for (TxnOp operation : operations) {
        both.does(operation);
        both.agree(operation);
      }
      both.agreeOnAborted();
      both.agreeOnFiles();
      both.changeHands();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
    assertThat(folder).doesNotExist();
  }
}
