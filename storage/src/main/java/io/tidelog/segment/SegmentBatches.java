package io.tidelog.segment;

import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the sound batches of a segment by offset, position and time. What this process did not
 * write is compared with its CRC when it is first passed over, and damage that is met is
 * remembered. Any number of threads; the caller holds a pin.
 */
public final class SegmentBatches {
  private final Segment segment;
  private final CheckedBytes checked;

  SegmentBatches(Segment segment, CheckedBytes checked) {
    this.segment = segment;
    this.checked = checked;
  }

  /**
   * The position of the first sound batch that ends at or after an offset.
   *
   * @param extent what is looked at
   * @return its end if there is none
   * @throws LostOffsetsException if the offset is lost with damage
   */
  public int positionOf(long offset, Extent extent) throws IOException {
    int position;
    List<DamagedStretch> passed = new ArrayList<>(0);
    try (WalkWindow window = WalkWindow.borrow()) {
      position = segment.startOf(offset, window);
      if (position != IndexCheck.NOT_INDEXED && isKnown(position, extent, window)) {
        return position;
      }
      SoundWalk walk = walkToward(offset, extent, passed, window);
      while (walk.next() && walk.batch().lastOffset() < offset) {
        // Goes on to the batch that may hold it.
      }
      position = walk.position();
    }
    for (DamagedStretch stretch : passed) {
      if (stretch.holds(offset)) {
        throw new LostOffsetsException(stretch);
      }
    }
    return position;
  }

  /**
   * Whether a batch, whose header is held, was compared with its CRC. That its offsets are right
   * the index bears witness.
   */
  private boolean isKnown(int position, Extent extent, WalkWindow window) {
    RecordBatch header = RecordBatch.at(window.bytes(), window.indexOf(position));
    return header.sizeBytes() <= extent.bytes() - position && checked.covers(position, header);
  }

  /** A walk from an indexed batch at or before the one that holds an offset. */
  private SoundWalk walkToward(
      long offset, Extent extent, List<DamagedStretch> passed, WalkWindow window)
      throws IOException {
    int start = segment.startFor(offset, window);
    SoundWalk.Reading reading = reading(Math.min(start, extent.bytes()), extent);
    return SoundWalk.in(
        window,
        segment.file(),
        new SoundWalk.Reading(
            reading.part(),
            reading.trust(),
            stretch -> {
              passed.add(stretch);
              met(stretch);
            }));
  }

  private SoundWalk.Reading reading(int from, Extent extent) {
    return new SoundWalk.Reading(part(from, extent), trust(extent), this::met);
  }

  /** Who does not know where the segment ends cannot tell whether its last offsets are right. */
  private SoundWalk.Trust trust(Extent extent) {
    return extent.endOffset() == LogPart.OPEN ? checked.withoutNotes() : checked;
  }

  /** What a walk from a position on passes over. */
  LogPart part(int from, Extent extent) {
    long first = from == 0 ? segment.baseOffset() : LogPart.AS_FOUND;
    return new LogPart(from, extent.bytes(), first, Math.min(extent.endOffset(), tooLarge()));
  }

  /** The first offset that is too far from the base offset. */
  private long tooLarge() {
    return segment.baseOffset() + Integer.MAX_VALUE + 1;
  }

  /** A file that somebody else has now may look damaged to who still reads it. */
  private void met(DamagedStretch stretch) {
    if (segment.isRetired()) {
      return;
    }
    boolean isOpen = stretch.part().endOffset() == tooLarge();
    checked.met(isOpen ? stretch.endingAt(LogPart.OPEN) : stretch);
  }

  /** A walk over all batches. */
  SoundWalk all(Extent extent) throws IOException {
    return SoundWalk.over(segment.file(), reading(0, extent));
  }

  /** The offset after the last sound batch, whatever the indexes say. */
  long endOfSound(int to) throws IOException {
    long end = segment.baseOffset();
    SoundWalk walk = all(new Extent(to, LogPart.OPEN));
    while (walk.next()) {
      end = walk.batch().nextOffset();
    }
    return end;
  }

  /** Largest timestamp of the first batch, ms, or -1. */
  long firstTimestamp(Extent extent) throws IOException {
    SoundWalk walk = SoundWalk.ofFew(segment.file(), reading(0, extent));
    return walk.next() ? walk.batch().maxTimestamp() : RecordBatch.NO_TIMESTAMP;
  }

  /** Remembers damage that somebody else has found, and tells of it. */
  public void keep(DamagedStretch stretch) {
    met(stretch);
  }

  /** The offset after the last batch, if the headers after the last index entry are right. */
  public long endByHeaders(int to) throws IOException {
    return boundary(0, to, to).nextOffset();
  }

  /** The damaged stretches of the log that were met so far. */
  public List<DamagedStretch> damage() {
    return checked.stretches();
  }

  /**
   * Up to where the batches from a position on are sound, after a look at all that were not checked
   * before. Costs nothing for what this process has written.
   *
   * @param from where a batch begins
   * @param firstOffset the offset that it has at least, or {@link LogPart#AS_FOUND}
   * @param atLeast far enough, if it is past the first batch
   * @param extent what is looked at
   * @throws LostOffsetsException if there is damage instead of the first one
   */
  public int soundTo(int from, long firstOffset, int atLeast, Extent extent) throws IOException {
    int known = Math.min(checked.soundTo(from), extent.bytes());
    if (known > from && (known >= atLeast || checked.knownAt(known) != null)) {
      return known;
    }
    List<DamagedStretch> met = new ArrayList<>(0);
    long first = known > from ? LogPart.AS_FOUND : firstOffset;
    LogPart part = new LogPart(from, extent.bytes(), first, extent.endOffset());
    SoundWalk walk = SoundWalk.over(segment.file(), new SoundWalk.Reading(part, checked, met::add));
    int sound = from;
    while (sound < Math.max(atLeast, from + 1) && walk.next() && met.isEmpty()) {
      sound = walk.end();
    }
    met.forEach(this::met);
    if (sound == from) {
      throw new LostOffsetsException(met.get(0));
    }
    return sound;
  }

  /**
   * A place between two batches, or at the start or end of the log.
   *
   * @param position where it is
   * @param nextOffset such that every batch before it ends below, and every one after it does not
   */
  public record Boundary(int position, long nextOffset) {}

  /**
   * The last boundary at or before {@code at}; but at least one batch after {@code from}, which is
   * a boundary itself, unless the log ends there.
   *
   * @param to where the looking ends, a boundary too; all before it is sound
   */
  public Boundary boundary(int from, int at, int to) throws IOException {
    try (WalkWindow window = WalkWindow.borrow()) {
      int start = Math.max(from, segment.startAtOrBefore(Math.min(at, to - 1), window));
      BatchWalk walk = BatchWalk.in(window, segment.file(), start, to);
      int boundary = walk.position();
      long nextOffset = segment.baseOffset();
      while (walk.next()) {
        if (walk.end() > at && walk.position() > from) {
          return new Boundary(walk.position(), walk.batch().baseOffset());
        }
        boundary = walk.end();
        nextOffset = walk.batch().nextOffset();
      }
      return new Boundary(boundary, nextOffset);
    }
  }

  /**
   * A walk over the batches, the first being at or before both the first one that has a timestamp
   * this large and the one that holds an offset; but not long before the later of these.
   *
   * @param extent what is looked at; the indexes may know of batches after it
   * @param window that the walk is to use
   */
  public SoundWalk walkForTimestamp(
      long timestamp, long fromOffset, Extent extent, WalkWindow window) throws IOException {
    int ofOffset = segment.startFor(fromOffset, window);
    int start = Math.max(ofOffset, segment.startForTime(timestamp, window));
    return SoundWalk.in(window, segment.file(), reading(Math.min(extent.bytes(), start), extent));
  }

  /**
   * A walk over the sound batches from the one that holds this offset, or from the next one if it
   * is lost.
   */
  public SoundWalk walkFrom(long offset, Extent extent) throws IOException {
    return walkFrom(offset, extent, damage -> {});
  }

  /**
   * The same.
   *
   * @param damage told of each damaged stretch on the way
   */
  public SoundWalk walkFrom(long offset, Extent extent, Consumer<DamagedStretch> damage)
      throws IOException {
    SoundWalk.Reading reading = reading(start(offset, extent, damage), extent);
    return SoundWalk.over(
        segment.file(),
        new SoundWalk.Reading(
            reading.part(),
            reading.trust(),
            stretch -> {
              met(stretch);
              damage.accept(stretch);
            }));
  }

  /** Where a walk begins that is to pass over all batches from an offset on. */
  private int start(long offset, Extent extent, Consumer<DamagedStretch> damage)
      throws IOException {
    if (offset <= segment.baseOffset()) {
      return 0;
    }
    try {
      return positionOf(offset, extent);
    } catch (LostOffsetsException lost) {
      damage.accept(lost.stretch());
      return lost.stretch().part().to();
    }
  }
}
