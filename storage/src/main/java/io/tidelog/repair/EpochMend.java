package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The leader epoch of a batch lies outside of its CRC. Epochs do not fall: the fewest batches that
 * must be wrong for the others to be in order get the epoch of the batch before them.
 */
final class EpochMend {
  private final Target target;
  private final List<Stamp> stamps = new ArrayList<>();

  /** The epoch that a batch has. */
  private record Stamp(Path log, int position, int epoch) {}

  private EpochMend(Target target) {
    this.target = target;
  }

  /** What makes the epochs of a partition's batches rise. */
  static List<RepairStep> of(Target target) throws IOException {
    EpochMend mend = new EpochMend(target);
    for (long base : target.logs()) {
      mend.read(target.path(base, SegmentFiles.LOG), base);
    }
    return mend.steps();
  }

  private void read(Path log, long base) throws IOException {
    try (DiskFile file = target.disk().openReadOnly(log)) {
      LogPart all = new LogPart(0, (int) file.sizeBytes(), base, LogPart.OPEN);
      SoundWalk walk =
          SoundWalk.over(file, new SoundWalk.Reading(all, SoundWalk.Trust.ALL, stretch -> {}));
      while (walk.next()) {
        if (walk.batch().leaderEpoch() != RecordBatch.NO_LEADER_EPOCH) {
          stamps.add(new Stamp(log, walk.position(), walk.batch().leaderEpoch()));
        }
      }
    }
  }

  private List<RepairStep> steps() {
    BitSet right = longestRise();
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
    return RepairStep.of(
        Kind.MEND_HEADER,
        stamp.log,
        "mend the header of the batch at byte %d, whose records are whole: partitionLeaderEpoch %d becomes %d"
            .formatted(stamp.position, stamp.epoch, epoch),
        quarantine -> {
          int at = stamp.position + RecordBatch.PARTITION_LEADER_EPOCH_AT;
          quarantine.keep(stamp.log, at, at + (long) Integer.BYTES);
          try (DiskFile file = target.disk().open(stamp.log)) {
            file.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, epoch), at);
            file.sync();
          }
        });
  }

  /** The members of a longest subsequence that never falls. */
  private BitSet longestRise() {
    int[] endOfLength = new int[stamps.size() + 1];
    int[] before = new int[stamps.size()];
    int length = 0;
    for (int i = 0; i < stamps.size(); i++) {
      int low = 1;
      int high = length;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (stamps.get(endOfLength[middle]).epoch <= stamps.get(i).epoch) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      before[i] = low > 1 ? endOfLength[low - 1] : -1;
      endOfLength[low] = i;
      length = Math.max(length, low);
    }
    return members(before, length == 0 ? -1 : endOfLength[length]);
  }

  private static BitSet members(int[] before, int last) {
    BitSet members = new BitSet(before.length);
    for (int i = last; i >= 0; i = before[i]) {
      members.set(i);
    }
    return members;
  }
}
