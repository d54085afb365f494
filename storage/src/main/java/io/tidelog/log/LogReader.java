package io.tidelog.log;

import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds batches by offset in a view. Remembers where recent reads ended, so that a sequential
 * reader needs no lookup. Any number of threads, no lock.
 */
final class LogReader {
  private static final int MARKS = 16;

  private final String name;
  private final AtomicReferenceArray<Mark> marks = new AtomicReferenceArray<>(MARKS);

  /**
   * Where a read ended.
   *
   * @param offset the offset that a sequential reader asks for next
   * @param segment where it starts
   * @param position at which byte
   */
  private record Mark(long offset, Segment segment, int position) {}

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
  LogReader(String name) {
    this.name = name;
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
      int published = view.publishedBytes(index);
      int from = startPosition(segment, request.offset, published);
      if (from == published) {
        return nextSegment(view, index, request);
      }
      long bound = Math.min(view.bound(request.upTo), view.endOf(index));
      int to = endPosition(view, index, bound);
      if (to - from > request.maxBytes) {
        Segment.Boundary end = segment.boundary(from, from + request.maxBytes);
        to = end.position();
        bound = end.nextOffset();
        remember(bound, segment, to);
      } else if (to == published) {
        rememberEnd(view, index);
      }
      List<AbortedTransaction> aborted = aborted(view, index, request, bound);
      handedOn = aborted != null;
      return handedOn ? LogSlice.pinned(segment, from, to - from, aborted) : null;
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
  private static List<AbortedTransaction> aborted(
      LogView view, int index, Request request, long end) throws IOException {
    return request.upTo == ReadUpTo.LAST_STABLE_OFFSET
        ? AbortedSearch.between(view, index, request.offset, end)
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
    long base = view.segment(index + 1).baseOffset();
    return base >= view.bound(request.upTo)
        ? LogSlice.EMPTY
        : readFrom(view, index + 1, new Request(base, request.maxBytes, request.upTo));
  }

  private int startPosition(Segment segment, long offset, int published) throws IOException {
    Mark mark = marks.get((int) (offset & (MARKS - 1)));
    if (mark != null
        && mark.offset == offset
        && mark.segment == segment
        && mark.position <= published) {
      return mark.position;
    }
    return segment.positionOf(offset, published);
  }

  /** Where in a segment a read ends that takes all that it may. */
  private int endPosition(LogView view, int index, long bound) throws IOException {
    int published = view.publishedBytes(index);
    if (bound >= view.endOf(index)) {
      return published;
    }
    int position = startPosition(view.segment(index), bound, published);
    remember(bound, view.segment(index), position);
    return position;
  }

  private void rememberEnd(LogView view, int index) {
    if (index + 1 < view.segmentCount()) {
      remember(view.endOf(index), view.segment(index + 1), 0);
    } else {
      remember(view.end(), view.segment(index), view.publishedBytes(index));
    }
  }

  private void remember(long offset, Segment segment, int position) {
    marks.set((int) (offset & (MARKS - 1)), new Mark(offset, segment, position));
  }
}
