package io.tidelog.cli.dump;

import io.tidelog.cli.terminal.Row;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.producer.ProducerSnapshot;
import io.tidelog.producer.ProducerState;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.TxnIndexWalk;
import java.nio.file.Path;
import java.time.Instant;

/** What the files beside a log say of producers: their state at an offset, aborted transactions. */
final class ProducerDump {
  private ProducerDump() {}

  /** The dump of a {@code .snapshot}. */
  static FileDump ofSnapshot(Disk disk, Path file) {
    return rows -> {
      for (ProducerState state : ProducerSnapshot.read(disk, file)) {
        Row row =
            Row.of("producer")
                .with("producerId", state.producerId())
                .with("producerEpoch", state.epoch())
                .with("lastSequence", state.lastSequence())
                .with("lastOffset", state.lastOffset())
                .with("offsetDelta", state.lastOffsetDelta())
                .with("lastTimestamp", Instant.ofEpochMilli(state.lastTimestampMs()))
                .with("coordinatorEpoch", state.coordinatorEpoch());
        state.transactionStart().ifPresent(offset -> row.with("transactionStart", offset));
        rows.row(row);
      }
    };
  }

  /** The dump of a {@code .txnindex}. */
  static FileDump ofTxnIndex(Disk disk, Path file) {
    return rows -> {
      try (DiskFile index = disk.openReadOnly(file)) {
        TxnIndexWalk walk = new TxnIndexWalk(index);
        while (walk.next()) {
          rows.row(row(walk.position(), walk.transaction()));
        }
      }
    };
  }

  private static Row row(long position, AbortedTransaction aborted) {
    return Row.of("aborted")
        .with("position", position)
        .with("producerId", aborted.producerId())
        .with("firstOffset", aborted.firstOffset())
        .with("lastOffset", aborted.lastOffset())
        .with("lastStableOffset", aborted.lastStableOffset());
  }
}
