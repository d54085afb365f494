package io.tidelog.explain;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.IndexWalk;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The search for an offset in a segment, as a broker does it: from the last index entry at or below
 * it on, by the headers of the batches.
 *
 * @param entry number of the index entry that was used, -1 if none was
 * @param from byte of the log at which the scan began
 * @param position byte at which the batch starts that holds the offset, or else the first one after
 *     it; the end of the log if there is none
 * @param batch that batch's header, a copy
 * @param damage the damage that the offset is lost in
 * @param indexDamage why the index was not used
 */
public record OffsetLookup(
    int entry,
    int from,
    int position,
    Optional<RecordBatch> batch,
    Optional<CorruptLogException> damage,
    Optional<CorruptLogException> indexDamage) {

  /** Where the index sends a search. */
  private record Hint(int entry, int position, Optional<CorruptLogException> damage) {
    static final Hint NONE = new Hint(-1, 0, Optional.empty());
  }

  /** Searches a segment. */
  public static OffsetLookup of(SegmentOnDisk segment, long offset) throws IOException {
    Hint hint = hint(segment, offset);
    try (DiskFile log = segment.openLog()) {
      return scan(segment, log, hint, offset);
    }
  }

  private static OffsetLookup scan(SegmentOnDisk segment, DiskFile log, Hint hint, long offset)
      throws IOException {
    int sizeBytes = segment.sizeBytes();
    BatchWalk walk = BatchWalk.headers(log, hint.position, sizeBytes);
    try {
      while (walk.next()) {
        if (walk.batch().lastOffset() >= offset) {
          return found(hint, walk.position(), Optional.of(copy(walk.batch())));
        }
      }
      return found(hint, sizeBytes, Optional.empty());
    } catch (CorruptLogException damage) {
      boolean isIndexWrong = hint.entry >= 0 && walk.position() == hint.position;
      return scanPastDamage(
          segment, log, isIndexWrong ? new Hint(-1, 0, Optional.of(damage)) : hint, offset);
    }
  }

  /** Damage lies on the way: the scan begins at the first byte and steps over it. */
  private static OffsetLookup scanPastDamage(
      SegmentOnDisk segment, DiskFile log, Hint hint, long offset) throws IOException {
    List<DamagedStretch> damaged = new ArrayList<>();
    SoundWalk walk = segment.walk(log, damaged::add);
    boolean isFound = false;
    while (!isFound && walk.next()) {
      isFound = walk.batch().lastOffset() >= offset;
    }
    Optional<CorruptLogException> lost =
        damaged.stream()
            .filter(stretch -> stretch.holds(offset))
            .<CorruptLogException>map(LostOffsetsException::new)
            .findFirst();
    return new OffsetLookup(
        -1,
        0,
        walk.position(),
        isFound ? Optional.of(copy(walk.batch())) : Optional.empty(),
        lost,
        hint.damage);
  }

  private static OffsetLookup found(Hint hint, int position, Optional<RecordBatch> batch) {
    return new OffsetLookup(
        hint.entry, hint.position, position, batch, Optional.empty(), hint.damage);
  }

  private static Hint hint(SegmentOnDisk segment, long offset) throws IOException {
    Hint best = Hint.NONE;
    try (DiskFile index = segment.disk().openReadOnly(segment.path(SegmentFiles.OFFSET_INDEX))) {
      IndexWalk walk = IndexWalk.offsets(index, segment.baseOffset());
      while (walk.next() && walk.offset() <= offset) {
        if (walk.logPosition() < 0 || walk.logPosition() >= segment.sizeBytes()) {
          throw new CorruptLogException(
              index.path(),
              walk.position(),
              "position %d is outside of the log's %d bytes"
                  .formatted(walk.logPosition(), segment.sizeBytes()));
        }
        best = new Hint(best.entry + 1, walk.logPosition(), Optional.empty());
      }
      return best;
    } catch (CorruptLogException damage) {
      return new Hint(-1, 0, Optional.of(damage));
    } catch (NoSuchFileException missing) {
      return Hint.NONE;
    }
  }

  private static RecordBatch copy(RecordBatch batch) {
    ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
    header.put(batch.buffer().slice(batch.position(), RecordBatch.HEADER_BYTES)).flip();
    return RecordBatch.at(header, 0);
  }

  /** Bytes from where the scan began to where it ended. */
  public int scannedBytes() {
    return position - from;
  }
}
