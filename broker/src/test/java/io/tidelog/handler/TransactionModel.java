package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** What was answered to producers, and what readers may and must see because of it. */
final class TransactionModel {

  /** What is known of how a transaction, or a record outside of one, ended. */
  enum Outcome {
    OPEN,
    COMMITTED,
    ABORTED,
    /** It was asked for, but the answer did not come. */
    ASKED_TO_COMMIT
  }

  /** A transaction, or the only record of somebody who has none. */
  static final class Unit {
    private final List<Written> records = new ArrayList<>();
    private Outcome outcome;

    private Unit(Outcome outcome) {
      this.outcome = outcome;
    }
  }

  private record Written(int partition, String value, boolean isAcknowledged) {}

  private final List<Unit> units = new ArrayList<>();
  private final Map<Integer, Unit> openOf = new HashMap<>();
  private int nextValue;

  String nextValue() {
    return "v" + nextValue++;
  }

  void wrotePlain(int partition, String value, boolean isAcknowledged) {
    Unit unit = new Unit(isAcknowledged ? Outcome.COMMITTED : Outcome.ASKED_TO_COMMIT);
    unit.records.add(new Written(partition, value, isAcknowledged));
    units.add(unit);
  }

  void wrote(int producer, int partition, String value, boolean isAcknowledged) {
    Unit unit =
        openOf.computeIfAbsent(
            producer,
            none -> {
              Unit begun = new Unit(Outcome.OPEN);
              units.add(begun);
              return begun;
            });
    unit.records.add(new Written(partition, value, isAcknowledged));
  }

  boolean isOpen(int producer) {
    return openOf.containsKey(producer);
  }

  void ended(int producer, Outcome outcome) {
    Unit unit = openOf.remove(producer);
    if (unit != null) {
      unit.outcome = outcome;
    }
  }

  /** Whoever has a transaction open loses it. */
  void allOpenAborted() {
    Set.copyOf(openOf.keySet()).forEach(producer -> ended(producer, Outcome.ABORTED));
  }

  /**
   * What readers see of a partition.
   *
   * @param all values by offset, for those who do not care
   * @param committed values by offset, for those who wait for transactions to end
   * @param stable where the latter stop
   */
  private record Seen(
      NavigableMap<Long, String> all, NavigableMap<Long, String> committed, long stable) {

    boolean shows(Written record) {
      return committed.containsValue(record.value);
    }

    /** Whether some transaction that is open keeps a record from those who wait. */
    boolean holdsBack(Written record) {
      return all.tailMap(stable, true).containsValue(record.value);
    }
  }

  /** Compares with what readers see now, from every offset. */
  void check(Topic topic) throws IOException {
    List<Seen> seen = new ArrayList<>();
    for (int index = 0; index < topic.partitionCount(); index++) {
      PartitionLog log = topic.partition(index).orElseThrow().log();
      NavigableMap<Long, String> all = CommittedView.all(log, 0);
      NavigableMap<Long, String> committed = CommittedView.committed(log, 0, 1 << 20);
      checkEveryStart(log, committed);
      checkUncommitted(index, all);
      seen.add(new Seen(all, committed, log.view().stable()));
    }
    for (Unit unit : units) {
      checkOutcome(unit, seen);
    }
  }

  private static void checkEveryStart(PartitionLog log, NavigableMap<Long, String> committed)
      throws IOException {
    for (long from = 0; from <= log.view().stable(); from++) {
      assertThat(CommittedView.committed(log, from, 1 << 20))
          .as("committed records of %s from %d", log, from)
          .isEqualTo(committed.tailMap(from, true));
    }
    assertThat(CommittedView.committed(log, 0, 1))
        .as("committed records of %s, one batch at a time", log)
        .isEqualTo(committed);
  }

  private void checkUncommitted(int partition, NavigableMap<Long, String> seen) {
    List<String> acknowledged = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (Unit unit : units) {
      for (Written record : unit.records) {
        if (record.partition == partition) {
          all.add(record.value);
          if (record.isAcknowledged) {
            acknowledged.add(record.value);
          }
        }
      }
    }
    assertThat(seen.values()).as("records of partition %d", partition).containsAll(acknowledged);
    assertThat(all).as("records of partition %d", partition).containsAll(seen.values());
    assertThat(seen.values()).doesNotHaveDuplicates();
  }

  private static void checkOutcome(Unit unit, List<Seen> seen) {
    List<Written> shown =
        unit.records.stream().filter(record -> seen.get(record.partition).shows(record)).toList();
    if (unit.outcome == Outcome.ASKED_TO_COMMIT) {
      unit.outcome = shown.isEmpty() ? Outcome.ABORTED : Outcome.COMMITTED;
    }
    if (unit.outcome == Outcome.COMMITTED) {
      List<Written> due =
          unit.records.stream()
              .filter(Written::isAcknowledged)
              .filter(record -> !seen.get(record.partition).holdsBack(record))
              .toList();
      assertThat(shown).as("a transaction that is committed").containsAll(due);
    } else {
      assertThat(shown).as("a transaction that is %s", unit.outcome).isEmpty();
    }
  }
}
