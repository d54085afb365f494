package io.tidelog.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Direct buffers to receive into, shared by all loops under one limit. Sizes are rounded up in
 * steps of a quarter of a power of two, at least {@value #SMALLEST_BYTES}, so that few kinds exist
 * and little is wasted.
 *
 * <p>An eighth of the memory is for small buffers alone, so that clients with short requests are
 * served while long frames hold all the rest.
 *
 * <p>Buffers given back are kept for the next taker. They count towards the limit and go when their
 * room is needed for another size; their memory then returns to the system with the next garbage
 * collection.
 */
final class BufferPool {
  static final int SMALLEST_BYTES = 4096;

  private static final int LARGEST_SMALL_BYTES = 16 << 10;

  private final long limitBytes;
  private final long keptForSmallBytes;
  private final IntFunction<ByteBuffer> allocator;
  private final NavigableMap<Integer, Deque<ByteBuffer>> idle = new TreeMap<>();
  private final List<Runnable> waiters = new ArrayList<>();
  private long usedBytes;
  private long usedSmallBytes;
  private long idleBytes;
  private Object overdrawnBy;

  BufferPool(long limitBytes) {
    this(limitBytes, ByteBuffer::allocateDirect);
  }

  BufferPool(long limitBytes, IntFunction<ByteBuffer> allocator) {
    this.limitBytes = limitBytes;
    this.keptForSmallBytes = limitBytes / 8;
    this.allocator = allocator;
  }

  /** A cleared buffer of this size or more, or null if the limit would be passed. */
  synchronized ByteBuffer acquire(int sizeBytes) throws NoMemoryException {
    int capacity = roundUp(sizeBytes);
    return hasRoomFor(capacity) ? take(capacity) : null;
  }

  /**
   * As {@link #acquire}, for a frame that has begun to arrive: one owner at a time may pass the
   * limit, so that frames which fill the memory between them cannot wait for each other for ever.
   */
  synchronized ByteBuffer acquireToFinish(int sizeBytes, Object owner) throws NoMemoryException {
    ByteBuffer within = acquire(sizeBytes);
    if (within != null) {
      return within;
    }
    if (isOverdrawn() && overdrawnBy != owner) {
      return null;
    }
    overdrawnBy = owner;
    return take(roundUp(sizeBytes));
  }

  /** Takes a buffer back and tells those who wait. */
  void release(ByteBuffer buffer) {
    List<Runnable> toTell;
    synchronized (this) {
      count(buffer, -1);
      if (!isOverdrawn()) {
        overdrawnBy = null;
      }
      if (usedBytes + idleBytes + buffer.capacity() <= limitBytes) {
        idle.computeIfAbsent(buffer.capacity(), capacity -> new ArrayDeque<>()).push(buffer);
        idleBytes += buffer.capacity();
      }
      if (waiters.isEmpty()) {
        return;
      }
      toTell = List.copyOf(waiters);
      waiters.clear();
    }
    toTell.forEach(Runnable::run);
  }

  /** Runs the action once, on the releasing thread, after the next release. */
  synchronized void whenReleased(Runnable action) {
    waiters.add(action);
  }

  /** Bytes in buffers that are taken. */
  synchronized long usedBytes() {
    return usedBytes;
  }

  private ByteBuffer take(int capacity) throws NoMemoryException {
    Map.Entry<Integer, Deque<ByteBuffer>> fitting = idle.ceilingEntry(capacity);
    ByteBuffer buffer;
    if (fitting != null && fitting.getKey() <= 2L * capacity && hasRoomFor(fitting.getKey())) {
      buffer = remove(fitting).clear();
    } else {
      makeRoom(capacity);
      buffer = allocate(capacity);
    }
    count(buffer, 1);
    return buffer;
  }

  private boolean hasRoomFor(int capacity) {
    boolean isWithinAll = usedBytes + capacity <= limitBytes;
    if (capacity <= LARGEST_SMALL_BYTES) {
      return isWithinAll || usedSmallBytes + capacity <= keptForSmallBytes;
    }
    return isWithinAll && usedLargeBytes() + capacity <= limitBytes - keptForSmallBytes;
  }

  private boolean isOverdrawn() {
    return usedBytes > limitBytes || usedLargeBytes() > limitBytes - keptForSmallBytes;
  }

  private long usedLargeBytes() {
    return usedBytes - usedSmallBytes;
  }

  private void count(ByteBuffer buffer, int sign) {
    usedBytes += (long) sign * buffer.capacity();
    if (buffer.capacity() <= LARGEST_SMALL_BYTES) {
      usedSmallBytes += (long) sign * buffer.capacity();
    }
  }

  private void makeRoom(int capacity) {
    while (!idle.isEmpty() && usedBytes + idleBytes + capacity > limitBytes) {
      remove(idle.lastEntry());
    }
  }

  private ByteBuffer allocate(int capacity) throws NoMemoryException {
    try {
      return allocator.apply(capacity);
    } catch (OutOfMemoryError e) {
      while (!idle.isEmpty()) {
        remove(idle.lastEntry()); // what is kept may be what is missing
      }
      throw new NoMemoryException(capacity);
    }
  }

  private ByteBuffer remove(Map.Entry<Integer, Deque<ByteBuffer>> sameSize) {
    ByteBuffer buffer = sameSize.getValue().pop();
    idleBytes -= buffer.capacity();
    if (sameSize.getValue().isEmpty()) {
      idle.remove(sameSize.getKey());
    }
    return buffer;
  }

  private static int roundUp(int sizeBytes) {
    int step = Math.max(SMALLEST_BYTES, Integer.highestOneBit(Math.max(1, sizeBytes - 1)) / 4);
    return Math.toIntExact((sizeBytes + step - 1L) / step * step);
  }
}
