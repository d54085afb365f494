package io.tidelog.log;

import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Extent;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentBatches;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds batches by offset in a view. Remembers where recent reads ended, so that a sequential
 * reader needs no lookup. Any number of threads, no lock.
 */
final class LogReader {
  private static final int MARK_BITS = 4;

  private final String name;
  private final AbortedSearch abortedSearch;
  private final AtomicReferenceArray<Mark> marks = new AtomicReferenceArray<>(1 << MARK_BITS);

  /**
   * Where a read ended, or began.
   *
   * @param offset the offset that a reader asks for next, or again
   * @param first the offset that the batch there has at least, or {@link LogPart#AS_FOUND}
   * @param segment where it starts
   * @param position at which byte
   */
  private record Mark(long offset, long first, Segment segment, int position) {}

  /**
   * One read.
   *
   * @param offset the first offset wanted
   * @param maxBytes most bytes wanted
   * @param upTo where the read stops
   */
  record Request(long offset, int maxBytes, ReadUpTo upTo) {}

  /**
   * @param name the log's name, for errors
   */
  LogReader(String name, AbortedSearch abortedSearch) {
    this.name = name;
    this.abortedSearch = abortedSearch;
  }

  /**
   * Whole batches within {@code maxBytes}, or the first one alone if it is larger; null if the
   * segment went away meanwhile.
   */
  LogSlice read(LogView view, Request request) throws IOException {
    if (request.offset < view.start() || request.offset > view.end()) {
      throw new OffsetOutOfRangeException(name, request.offset, view.start(), view.end());
    }
    return request.offset >= view.bound(request.upTo)
        ? LogSlice.EMPTY
        : readFrom(view, view.floor(request.offset), request);
  }

  private LogSlice readFrom(LogView view, int index, Request request) throws IOException {
    Segment segment = view.segment(index);
    if (!segment.pin()) {
      return null;
    }
    boolean handedOn = false;
    try {
      Extent extent = view.extent(index);
      Mark from = start(segment, request.offset, extent);
      if (from.position == extent.bytes()) {
        return nextSegment(view, index, request);
      }
      SegmentBatches.Boundary end;
      try {
        end = endOf(view, index, from, request);
      } catch (LostOffsetsException lost) {
        if (lost.stretch().holds(request.offset) || from.first == LogPart.AS_FOUND) {
          throw lost;
        }
        marks.compareAndSet(slot(request.offset), from, null);
        return readFrom(view, index, request); // as behind a batch that stands twice
      }
      List<AbortedTransaction> aborted = aborted(view, index, request, end.nextOffset());
      handedOn = aborted != null;
      return handedOn
          ? LogSlice.pinned(segment, from.position, end.position() - from.position, aborted)
          : null;
    } catch (IOException e) {
      if (segment.isRetired()) {
        return null;
      }
      throw e;
    } finally {
      if (!handedOn) {
        segment.unpin();
      }
    }
  }

  /** The aborted transactions in what is read; null if a segment went away meanwhile. */
  private List<AbortedTransaction> aborted(LogView view, int index, Request request, long end)
      throws IOException {
    return request.upTo == ReadUpTo.LAST_STABLE_OFFSET
        ? abortedSearch.between(view, index, request.offset, end)
        : List.of();
  }

  /** Compaction may leave a segment without the last offsets before the next one's base. */
  private LogSlice nextSegment(LogView view, int index, Request request) throws IOException {
    if (index + 1 == view.segmentCount()) {
      throw new IllegalStateException(
          name
              + " has no batch with offset "
              + request.offset
              + " though it ends at "
              + view.end());
    }
    if (view.publishedBytes(index) == 0) {
      view.segment(index).maxTimestamp(); // its indexes may tell that it was longer
    }
    long base = view.segment(index + 1).baseOffset();
    return base >= view.bound(request.upTo)
        ? LogSlice.EMPTY
        : readFrom(view, index + 1, new Request(base, request.maxBytes, request.upTo));
  }

  /**
   * Where the batch with an offset starts. Who reads on knows which offset it begins with at least.
   */
  private Mark start(Segment segment, long offset, Extent extent) throws IOException {
    Mark mark = marks.get(slot(offset));
    if (mark != null
        && mark.offset == offset
        && mark.segment == segment
        && mark.position <= extent.bytes()) {
      return mark;
    }
    int position = segment.batches().positionOf(offset, extent);
    Mark found = new Mark(offset, LogPart.AS_FOUND, segment, position);
    marks.set(slot(offset), found);
    return found;
  }

  /** Spreads offsets that are multiples of a batch's records too. */
  private static int slot(long offset) {
    return (int) (offset * 0x9E3779B97F4A7C15L >>> Long.SIZE - MARK_BITS);
  }

  /** Where a read from a batch on ends, before the first damage at the latest; and remembers it. */
  private SegmentBatches.Boundary endOf(LogView view, int index, Mark from, Request request)
      throws IOException {
    SegmentBatches batches = view.segment(index).batches();
    Extent extent = view.extent(index);
    long bound = Math.min(view.bound(request.upTo), view.endOf(index));
    int wanted = (int) Math.min((long) from.position + request.maxBytes, extent.bytes());
    int sound = batches.soundTo(from.position, from.first, wanted, extent);
    int to = Math.min(sound, endPosition(view, index, bound));
    if (to - from.position > request.maxBytes || to < extent.bytes() && to == sound) {
      SegmentBatches.Boundary end = batches.boundary(from.position, Math.min(wanted, to), sound);
      remember(end.nextOffset(), view.segment(index), end.position());
      return end;
    }
    if (to == extent.bytes()) {
      rememberEnd(view, index);
    }
    return new SegmentBatches.Boundary(to, bound);
  }

  /** Where in a segment a read ends that takes all that it may. */
  private int endPosition(LogView view, int index, long bound) throws IOException {
    Extent extent = view.extent(index);
    if (bound >= extent.endOffset()) {
      return extent.bytes();
    }
    try {
      int position = start(view.segment(index), bound, extent).position;
      remember(bound, view.segment(index), position);
      return position;
    } catch (LostOffsetsException lost) {
      return lost.stretch().part().from();
    }
  }

  private void rememberEnd(LogView view, int index) {
    if (index + 1 < view.segmentCount()) {
      remember(view.endOf(index), view.segment(index + 1), 0);
    } else {
      remember(view.end(), view.segment(index), view.publishedBytes(index));
    }
  }

  private void remember(long offset, Segment segment, int position) {
    marks.set(slot(offset), new Mark(offset, offset, segment, position));
  }
}
