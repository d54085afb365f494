package io.tidelog.verify;

import io.tidelog.producer.CorruptSnapshotException;
import io.tidelog.producer.ProducerSnapshot;
import io.tidelog.producer.ProducerState;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads producer snapshots and compares them with a replay of the log. A producer that is missing
 * in a snapshot may have been forgotten for its age, unless its transaction was open.
 */
final class SnapshotCompare {
  private final PartitionContext context;
  private final FindingList findings;

  SnapshotCompare(PartitionContext context, FindingList findings) {
    this.context = context;
    this.findings = findings;
  }

  private Path path(long offset) {
    return context.files().path(offset, SegmentFiles.SNAPSHOT);
  }

  /** What a snapshot says; empty if it is damaged, which is told, or gone. */
  Optional<List<ProducerState>> read(long offset) {
    try {
      return Optional.of(ProducerSnapshot.read(context.disk(), path(offset)));
    } catch (CorruptSnapshotException damage) {
      boolean isOfCrash =
          context.state().stop() == Stop.RUNNING
              || context.state().mayBeTornAt(context.partition(), offset);
      findings.add(
          Malformed.finding(
              isOfCrash ? FindingKind.SNAPSHOT_TORN : FindingKind.SNAPSHOT_DAMAGED,
              path(offset),
              damage));
      return Optional.empty();
    } catch (NoSuchFileException goneMeanwhile) {
      return Optional.empty();
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(path(offset), unreadable));
      return Optional.empty();
    }
  }

  /** Tells where a snapshot differs from what the log says before its offset. */
  void compare(long offset, List<ProducerState> snapshot, Collection<ProducerState> replay) {
    Map<Long, ProducerState> expected = new HashMap<>();
    replay.forEach(state -> expected.put(state.producerId(), state));
    for (ProducerState state : snapshot) {
      ProducerState right = expected.remove(state.producerId());
      if (right == null) {
        tell(offset, text(state), "no such producer");
      } else if (!text(state).equals(text(right))) {
        tell(offset, text(state), text(right));
      }
    }
    expected.values().stream()
        .filter(state -> state.transactionStart().isPresent())
        .forEach(state -> tell(offset, "no producer " + state.producerId(), text(state)));
  }

  private static String text(ProducerState state) {
    return "producer %d with epoch %d, sequence %d at offset %d (batch of %d), time %d, coordinator epoch %d, transaction from %d"
        .formatted(
            state.producerId(),
            state.epoch(),
            state.lastSequence(),
            state.lastOffset(),
            state.lastOffsetDelta() + 1,
            state.lastTimestampMs(),
            state.coordinatorEpoch(),
            state.transactionStart().orElse(-1));
  }

  private void tell(long offset, String found, String expected) {
    findings.add(
        Finding.of(
            FindingKind.SNAPSHOT_WRONG, path(offset), 0, found, expected + ", as the log has it"));
  }
}
