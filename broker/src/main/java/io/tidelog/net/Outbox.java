package io.tidelog.net;

import io.tidelog.net.PartQueue.Progress;
import io.tidelog.protocol.AnswerEncoder;
import io.tidelog.protocol.AnswerSink;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.SliceRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * What one connection has to send. Answers are written one after the other into a buffer that all
 * connections of a loop share, so that those which are ready together leave in one system call and
 * a sent answer leaves nothing to collect. A short slice is copied there too: sent by itself it
 * costs three system calls more, and its reader wakes twice. Only fields that a full socket does
 * not take are copied to memory of their own; a slice goes on from its file.
 */
final class Outbox implements AnswerSink {
  /**
   * Up to this size, a slice is copied into the loop's buffer. A longer one costs less from its
   * file.
   */
  private static final int MAX_COPIED_BYTES = 32 << 10;

  private final ByteBuffer scratch;
  private final PartQueue parts = new PartQueue();

  /** Slices of this batch that lie in the loop's buffer, in their order. */
  private final List<Copy> copies = new ArrayList<>();

  private ByteBuffer target;
  private int cutFrom;

  /** Where in the target the fields of the answer that is being written will end. */
  private int reservedEnd;

  /**
   * @param scratch the loop's direct buffer; free for this connection's use from {@link #begin} to
   *     {@link #keep}
   */
  Outbox(ByteBuffer scratch) {
    this.scratch = scratch;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Starts a batch of answers; everything before must have been sent. */
  void begin() {
    retarget(scratch.clear());
  }

  /**
   * Whether the batch should end here: the loop's buffer is nearly full, or a long answer has taken
   * one of its own.
   */
  boolean isBatchFull() {
    return !isOnScratch() || scratch.remaining() < scratch.capacity() / 4;
  }

  /**
   * Adds an answer to the batch. If it cannot be written, nothing is added and its slices stay with
   * the caller.
   */
  void add(Request request, ApiMessage body) {
    int partsBefore = parts.size();
    int copiesBefore = copies.size();
    ByteBuffer targetBefore = target;
    int positionBefore = target.position();
    int cutFromBefore = cutFrom;
    try {
      AnswerEncoder.encode(request, body, this);
    } catch (RuntimeException e) {
      parts.cutTo(partsBefore);
      copies.subList(copiesBefore, copies.size()).clear();
      target = targetBefore.position(positionBefore);
      cutFrom = cutFromBefore;
      throw e;
    }
  }

  /** Ends the batch: it is ready to be sent. */
  void end() {
    cut();
  }

  @Override
  public ByteBuffer reserve(int sizeBytes) {
    if (target.remaining() < sizeBytes) {
      cut();
      retarget(ByteBuffer.allocate(sizeBytes));
    }
    reservedEnd = target.position() + sizeBytes;
    return target;
  }

  @Override
  public void append(ByteBuffer bytes) {
    cut();
    if (bytes.hasRemaining()) {
      parts.add(Part.of(bytes));
    }
  }

  @Override
  public int append(SliceRecords slice) {
    int start = target.position();
    int sizeBytes = slice.sizeInBytes();
    if (sizeBytes == 0) {
      slice.release();
      return 0;
    }
    if (copy(slice)) {
      copies.add(new Copy(slice, start));
      reservedEnd += sizeBytes;
      return sizeBytes;
    }
    cut();
    parts.add(Part.of(slice, 0));
    return 0;
  }

  /** Sends what the socket takes. */
  Progress send(SocketChannel channel) throws IOException {
    Progress progress = parts.send(channel);
    if (progress == Progress.DONE) {
      releaseCopies(copies.size());
    }
    return progress;
  }

  /** Takes what is left out of the loop's buffer, which is somebody else's next. */
  void keep() {
    for (int left = parts.size(); left > 0; left--) {
      Part part = parts.remove();
      if (part.isBorrowed()) {
        keep(part.borrowedFrom(), part.borrowedTo());
      } else {
        parts.add(part);
      }
    }
    releaseCopies(copies.size());
  }

  /** Drops what is left. */
  void discard() {
    parts.discard();
    releaseCopies(copies.size());
  }

  /** Bytes sent since this was last asked. */
  long takeSentBytes() {
    return parts.takeSentBytes();
  }

  /** The loop's buffer is direct; what a long answer gets of its own is not. */
  private boolean isOnScratch() {
    return target.isDirect();
  }

  private void retarget(ByteBuffer buffer) {
    target = buffer;
    cutFrom = buffer.position();
  }

  private void cut() {
    if (target.position() > cutFrom) {
      ByteBuffer bytes = target.slice(cutFrom, target.position() - cutFrom);
      parts.add(isOnScratch() ? Part.borrowed(bytes, cutFrom) : Part.of(bytes));
      cutFrom = target.position();
    }
  }

  /** Copies a slice to the target if it is short and there is room; returns whether it has. */
  private boolean copy(SliceRecords slice) {
    int roomBytes = target.capacity() - reservedEnd;
    if (!isOnScratch() || slice.sizeInBytes() > Math.min(roomBytes, MAX_COPIED_BYTES)) {
      return false;
    }
    try {
      return slice.copyTo(target);
    } catch (IOException e) {
      return false; // sending it will meet the same
    }
  }

  /** Keeps a range of the loop's buffer: of a slice as that slice, the rest as a copy. */
  private void keep(int start, int end) {
    int sentCopies = 0;
    while (sentCopies < copies.size() && copies.get(sentCopies).end() <= start) {
      sentCopies++;
    }
    releaseCopies(sentCopies);
    int at = start;
    while (!copies.isEmpty() && copies.get(0).start < end) {
      Copy copy = copies.remove(0);
      keepFields(at, copy.start);
      parts.add(Part.of(copy.slice, Math.max(0, at - copy.start)));
      at = copy.end();
    }
    keepFields(at, end);
  }

  private void keepFields(int start, int end) {
    if (start < end) {
      ByteBuffer fields = scratch.duplicate().limit(end).position(start);
      parts.add(Part.of(ByteBuffer.allocate(end - start).put(fields).flip()));
    }
  }

  private void releaseCopies(int count) {
    List<Copy> first = copies.subList(0, count);
    first.forEach(copy -> copy.slice.release());
    first.clear();
  }

  /**
   * A slice that lies in the loop's buffer.
   *
   * @param slice where it comes from, held until the copy has been sent
   * @param start where it begins in the buffer
   */
  private record Copy(SliceRecords slice, int start) {
    int end() {
      return start + slice.sizeInBytes();
    }
  }
}
