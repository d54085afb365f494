package io.tidelog.coordinator;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;

/** Notes what is played to it, and insists on what Kafka's own coordinator insists on. */
final class Playback implements CoordinatorPlayback<CoordinatorRecord> {
  final List<Long> offsets = new ArrayList<>();
  final List<CoordinatorRecord> records = new ArrayList<>();
  final List<Long> committed = new ArrayList<>();
  final List<String> markers = new ArrayList<>();
  long written;

  @Override
  public void replay(long offset, long producerId, short epoch, CoordinatorRecord record) {
    offsets.add(offset);
    records.add(record);
  }

  @Override
  public void replayEndTransactionMarker(long producerId, short epoch, TransactionResult result) {
    markers.add(producerId + " " + result);
  }

  @Override
  public void updateLastWrittenOffset(long offset) {
    if (offset <= written) {
      throw new IllegalStateException(offset + " is not past " + written);
    }
    written = offset;
  }

  @Override
  public void updateLastCommittedOffset(long offset) {
    if (offset > written || offset < lastCommitted()) {
      throw new IllegalStateException(
          "%d is not between %d and %d".formatted(offset, lastCommitted(), written));
    }
    committed.add(offset);
  }

  long lastCommitted() {
    return committed.isEmpty() ? 0 : committed.get(committed.size() - 1);
  }
}
