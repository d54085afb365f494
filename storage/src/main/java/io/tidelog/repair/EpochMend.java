package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The leader epoch of a batch lies outside of its CRC. Epochs do not fall: the fewest batches that
 * must be wrong for the others to be in order get the epoch of the batch before them.
 */
final class EpochMend {
  private final Target target;
  private final List<Stamp> stamps = new ArrayList<>();

  /** Batches side by side that have one epoch: the bytes from the first one to behind the last. */
  private record Stamp(Path log, int from, int to, int epoch, long batches) {
    private Stamp and(int newTo) {
      return new Stamp(log, from, newTo, epoch, batches + 1);
    }
  }

  private EpochMend(Target target) {
    this.target = target;
  }

  /** What makes the epochs of a partition's batches rise. */
  static List<RepairStep> of(Target target) throws IOException {
    EpochMend mend = new EpochMend(target);
    for (long base : target.logs()) {
      Path log = target.path(base, SegmentFiles.LOG);
      target.eachBatch(base, (position, header) -> mend.add(log, position, header));
    }
    return mend.steps();
  }

  private void add(Path log, int position, RecordBatch header) {
    int epoch = header.leaderEpoch();
    if (epoch == RecordBatch.NO_LEADER_EPOCH) {
      return;
    }
    int end = position + header.sizeBytes();
    int last = stamps.size() - 1;
    if (last >= 0
        && stamps.get(last).epoch == epoch
        && stamps.get(last).to == position
        && stamps.get(last).log.equals(log)) {
      stamps.set(last, stamps.get(last).and(end));
    } else {
      stamps.add(new Stamp(log, position, end, epoch, 1));
    }
  }

  private List<RepairStep> steps() {
    BitSet right = mostBatchesThatRise();
    List<RepairStep> steps = new ArrayList<>();
    int epoch = stamps.isEmpty() ? 0 : stamps.get(right.nextSetBit(0)).epoch;
    for (int i = 0; i < stamps.size(); i++) {
      if (right.get(i)) {
        epoch = stamps.get(i).epoch;
      } else {
        steps.add(step(stamps.get(i), epoch));
      }
    }
    return steps;
  }

  private RepairStep step(Stamp stamp, int epoch) {
    String batches =
        stamp.batches == 1
            ? "the header of the batch at byte %d, whose records are".formatted(stamp.from)
            : "the headers of %d batches from byte %d on, whose records are"
                .formatted(stamp.batches, stamp.from);
    return RepairStep.of(
        Kind.MEND_HEADER,
        stamp.log,
        "mend %s whole: partitionLeaderEpoch %d becomes %d".formatted(batches, stamp.epoch, epoch),
        quarantine -> write(stamp, epoch, quarantine));
  }

  private void write(Stamp stamp, int epoch, Quarantine quarantine) throws IOException {
    try (DiskFile file = target.disk().open(stamp.log)) {
      BatchWalk walk = BatchWalk.headers(file, stamp.from, stamp.to);
      while (walk.next()) {
        int at = walk.position() + RecordBatch.PARTITION_LEADER_EPOCH_AT;
        quarantine.keep(stamp.log, at, at + (long) Integer.BYTES);
        file.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, epoch), at);
      }
      file.sync();
    }
  }

  /**
   * The stamps of a subsequence that never falls and holds as many batches as one can.
   *
   * <p>For each epoch the best subsequence so far that ends with it is kept, if none with a lower
   * epoch is as good.
   */
  private BitSet mostBatchesThatRise() {
    TreeMap<Integer, Integer> bestByEpoch = new TreeMap<>();
    long[] batches = new long[stamps.size()];
    int[] before = new int[stamps.size()];
    for (int i = 0; i < stamps.size(); i++) {
      Map.Entry<Integer, Integer> lower = bestByEpoch.floorEntry(stamps.get(i).epoch);
      before[i] = lower == null ? -1 : lower.getValue();
      batches[i] = stamps.get(i).batches + (lower == null ? 0 : batches[lower.getValue()]);
      bestByEpoch.put(stamps.get(i).epoch, i);
      Map.Entry<Integer, Integer> higher = bestByEpoch.higherEntry(stamps.get(i).epoch);
      while (higher != null && batches[higher.getValue()] <= batches[i]) {
        bestByEpoch.remove(higher.getKey());
        higher = bestByEpoch.higherEntry(stamps.get(i).epoch);
      }
    }
    BitSet members = new BitSet(stamps.size());
    int last = bestByEpoch.isEmpty() ? -1 : bestByEpoch.lastEntry().getValue();
    for (int i = last; i >= 0; i = before[i]) {
      members.set(i);
    }
    return members;
  }
}
