package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Walks the sound batches of a part of a log in order, and steps over damage: each stretch without
 * a sound batch is told once, when the walk has found where it ends. A batch is sound if its header
 * is possible, its offsets are in order, and its contents match the CRC.
 *
 * <p>Of batches that are trusted only the header is looked at, as long as each begins with the
 * offset that its predecessor ends with; what does not fit together so is looked at whole. The base
 * offset lies outside of the CRC: a batch that leaves out offsets is taken for damaged if the next
 * sound batch has some of these.
 *
 * <p>For one thread.
 */
public final class SoundWalk {
  private final DiskFile file;
  private final LogPart part;
  private final Trust trust;
  private final Consumer<DamagedStretch> damage;
  private final BatchWalk walk;
  private final RecordBatch batch;
  private int position;
  private int end;
  private long expected;
  private int knownToBeSound = -1;

  /** Which batches are taken to match their CRC. */
  @FunctionalInterface
  public interface Trust {
    Trust NONE = (position, header) -> false;
    Trust ALL = (position, header) -> true;

    boolean covers(int position, RecordBatch header);

    /**
     * The last offset that others name for a batch, if they contradict its header; else its own.
     * Asked of batches that are not covered, where other offsets may be free.
     */
    default long lastOffset(int position, RecordBatch header) throws IOException {
      return header.lastOffset();
    }

    /** A batch matched its CRC, and its offsets are in order. */
    default void verified(int from, int to) {}

    /** The stretch that is known to begin at a position; null if none is. */
    default DamagedStretch knownAt(int position) {
      return null;
    }
  }

  private SoundWalk(BatchWalk walk, DiskFile file, Reading reading) {
    this.walk = walk;
    this.file = file;
    this.part = reading.part;
    this.trust = reading.trust;
    this.damage = reading.damage;
    this.batch = RecordBatch.at(ByteBuffer.allocate(BatchWalk.HEAD_BYTES), 0);
    this.position = part.from();
    this.end = part.from();
    this.expected = part.firstOffset();
  }

  /**
   * What is read, and how.
   *
   * @param part what is walked over
   * @param trust which batches need no look at their contents
   * @param damage told of each stretch
   */
  public record Reading(LogPart part, Trust trust, Consumer<DamagedStretch> damage) {}

  /** A walk over many batches. */
  public static SoundWalk over(DiskFile file, Reading reading) {
    LogPart part = reading.part;
    return new SoundWalk(BatchWalk.scan(file, part.from(), part.to()), file, reading);
  }

  /** A walk over a few batches, most of which are small or trusted. */
  static SoundWalk ofFew(DiskFile file, Reading reading) {
    LogPart part = reading.part;
    return new SoundWalk(BatchWalk.headers(file, part.from(), part.to()), file, reading);
  }

  /** A walk in a window that is lent, over a few batches first. */
  static SoundWalk in(WalkWindow window, DiskFile file, Reading reading) {
    LogPart part = reading.part;
    return new SoundWalk(BatchWalk.in(window, file, part.from(), part.to()), file, reading);
  }

  /**
   * Goes to the next sound batch.
   *
   * @return false if there is none any more
   */
  public boolean next() throws IOException {
    int at = end;
    CorruptLogException first = null;
    while (at < part.to()) {
      try {
        require(at);
        tell(first, at, batch.baseOffset());
        expected = batch.nextOffset();
        return true;
      } catch (CorruptLogException found) {
        DamagedStretch known = first == null ? trust.knownAt(at) : null;
        first = first == null ? found : first;
        at = known == null ? candidateAfter(at) : known.part().to();
      }
    }
    tell(first, part.to(), part.endOffset());
    position = part.to();
    end = part.to();
    return false;
  }

  private void tell(CorruptLogException first, int to, long endOffset) {
    if (first != null) {
      int from = (int) first.position();
      damage.accept(
          new DamagedStretch(
              file.path(), new LogPart(from, to, expected, endOffset), first.finding()));
    }
  }

  /**
   * The header of the batch at hand, perhaps with some bytes that follow it, as a view that is
   * valid until the walk goes on.
   */
  public RecordBatch batch() {
    return batch;
  }

  /**
   * The batch at hand with all its bytes, which match their CRC, as a view that is valid until the
   * walk goes on.
   *
   * @throws CorruptLogException if they do not match, which can be so if they were trusted
   */
  public RecordBatch soundBatch() throws IOException {
    walk.seek(position);
    walk.next();
    return walk.soundBatch();
  }

  /** Where the batch at hand starts in the file. */
  public int position() {
    return position;
  }

  /** Where the batch at hand ends in the file. */
  public int end() {
    return end;
  }

  /** That a sound batch in order begins here; it is the one at hand then. */
  private void require(int at) throws IOException {
    walk.seek(at);
    walk.next();
    keepHead(walk.batch().buffer(), walk.batch().position());
    position = at;
    end = walk.end();
    if (!SoundBatches.areIn(part.rest(at, expected), batch)) {
      throw outOfOrder("%d or more".formatted(expected));
    }
    boolean isTrusted = trust.covers(at, batch);
    if (!isTrusted && !isHemmedIn()) {
      requireNoOtherNamed();
    }
    expected = expected == LogPart.AS_FOUND ? batch.baseOffset() : expected;
    if (!isTrusted || !isFollowed()) {
      requireCrc(at);
    }
    if (batch.baseOffset() > expected) {
      requireNoOtherWith();
    }
    if (!isTrusted) {
      trust.verified(at, end);
    }
  }

  /** Whether no offset is free beside those of the batch at hand, so that it can have no others. */
  private boolean isHemmedIn() {
    return batch.baseOffset() == expected && walk.isFollowedBy(batch.nextOffset());
  }

  /** That nobody names other offsets for the batch at hand which are possible. */
  private void requireNoOtherNamed() throws IOException {
    long last = trust.lastOffset(position, batch);
    long first = last - batch.lastOffsetDelta();
    if (last != batch.lastOffset() && first >= expected && last < part.endOffset()) {
      expected = expected == LogPart.AS_FOUND ? first : expected;
      throw outOfOrder(
          "%d to %d, as both indexes say, %d or more".formatted(first, last, expected));
    }
  }

  private void keepHead(ByteBuffer window, int at) {
    ByteBuffer kept = batch.buffer().clear();
    int bytes = Math.min(kept.limit(), window.limit() - at);
    kept.put(0, window, at, bytes).limit(bytes);
  }

  private CorruptLogException outOfOrder(String wanted) {
    return new CorruptLogException(
        file.path(),
        position,
        "offsets are %d to %d, expected %s%s"
            .formatted(
                batch.baseOffset(),
                batch.lastOffset(),
                wanted,
                part.endOffset() == LogPart.OPEN ? "" : " and less than " + part.endOffset()));
  }

  /** Whether batch and successor fit together without a gap. */
  private boolean isFollowed() throws IOException {
    if (batch.baseOffset() != expected) {
      return false;
    }
    if (end == part.to()) {
      return part.endOffset() == LogPart.OPEN || part.endOffset() == batch.nextOffset();
    }
    try {
      walk.next();
      return walk.batch().baseOffset() == batch.nextOffset()
          && SoundBatches.areIn(part, walk.batch());
    } catch (CorruptLogException damaged) {
      return false;
    }
  }

  private void requireCrc(int at) throws IOException {
    if (knownToBeSound != at) {
      walk.seek(at);
      walk.next();
      walk.checkCrc();
    }
  }

  /** That the offsets before the batch at hand, which it leaves out, do not follow it. */
  private void requireNoOtherWith() throws IOException {
    if (end == part.to() || isFollowedByLater()) {
      return;
    }
    int other = SoundBatches.next(file, part.rest(end, expected));
    if (other < part.to()) {
      BatchWalk there = BatchWalk.oneHeader(file, other, part.to());
      there.next();
      if (there.batch().baseOffset() < batch.nextOffset()) {
        throw outOfOrder(
            "%d or more, but less than %d, which follows at byte %d"
                .formatted(expected, there.batch().baseOffset(), other));
      }
    }
  }

  private boolean isFollowedByLater() throws IOException {
    try {
      walk.seek(end);
      walk.next();
      if (!SoundBatches.areIn(part.rest(end, batch.nextOffset()), walk.batch())) {
        return false;
      }
      walk.checkCrc();
      knownToBeSound = end;
      return true;
    } catch (CorruptLogException damaged) {
      return false;
    }
  }

  /**
   * Where the next sound batch may begin: where the damaged one says that it ends, if one begins
   * there, for its records may hold what looks like a batch; or anywhere after its first byte.
   */
  private int candidateAfter(int at) throws IOException {
    if (end > at && position == at && isSoundAt(end)) {
      return end;
    }
    return SoundBatches.next(file, part.rest(at + 1, expected));
  }

  private boolean isSoundAt(int at) throws IOException {
    try {
      walk.seek(at);
      if (!walk.next() || !SoundBatches.areIn(part.rest(at, expected), walk.batch())) {
        return false;
      }
      walk.checkCrc();
      return true;
    } catch (CorruptLogException notHere) {
      return false;
    }
  }
}
