package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the batches of a segment again and notes the sound ones in new indexes. Changes nothing in
 * the log. Damage is only answered, for it may be cut.
 */
final class Rescan implements SoundWalk.Trust {
  private final CheckedBytes checked;
  private final long durableTo;
  private final Consumer<RecordBatch> visitor;
  private final List<DamagedStretch> damage = new ArrayList<>();
  private DamagedStretch last;
  private int verifiedFrom;
  private int verifiedTo;

  /**
   * @param checked told what was found
   * @param durableTo batches below this offset were made durable, so only their headers are looked
   *     at
   * @param visitor shown the header of each sound batch
   */
  Rescan(CheckedBytes checked, long durableTo, Consumer<RecordBatch> visitor) {
    this.checked = checked;
    this.durableTo = durableTo;
    this.visitor = visitor;
  }

  Rescanned of(DiskFile log, LogPart part, SegmentIndexes indexes) throws IOException {
    SoundWalk walk =
        SoundWalk.over(log, new SoundWalk.Reading(part, this, stretch -> last = stretch));
    long nextOffset = part.firstOffset();
    Rescanned.Last latest = Rescanned.Last.NONE;
    int goodBytes = 0;
    while (walk.next()) {
      long base = walk.batch().baseOffset();
      latest = new Rescanned.Last(base, last == null && goodBytes > 0 ? base - nextOffset : 0);
      if (last != null) {
        damage.add(last);
        last = null;
      }
      indexes.note(walk.batch(), walk.position());
      visitor.accept(walk.batch());
      nextOffset = walk.batch().nextOffset();
      goodBytes = walk.end();
    }
    if (latest.gap() == 0) {
      noteVerified();
    }
    return new Rescanned(goodBytes, nextOffset, latest, damage, Optional.ofNullable(last));
  }

  @Override
  public boolean covers(int position, RecordBatch header) {
    return header.lastOffset() < durableTo;
  }

  private void noteVerified() {
    if (verifiedTo > verifiedFrom) {
      checked.verified(verifiedFrom, verifiedTo);
    }
  }

  /** Noted a step behind, since the last batch may turn out to be misplaced. */
  @Override
  public void verified(int from, int to) {
    noteVerified();
    verifiedFrom = from;
    verifiedTo = to;
  }
}
