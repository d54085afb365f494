package io.tidelog.compaction;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The latest offset of each key, in a table of fixed size. A key is stood for by its hash of 128
 * bits: two keys that anybody has are not taken for one. The table is Kafka's in size, so that as
 * many keys fit.
 *
 * <pre>
 *  at  size  field   meaning
 *   0    16  hash    MD5 of the key
 *  16     8  offset  latest offset + 1; 0 in a free slot
 * </pre>
 *
 * <p>For one thread.
 */
public final class KeyOffsets {
  static final int ENTRY_BYTES = 24;

  /** What {@link #get} answers for a key that is not there. */
  public static final long NONE = -1;

  private static final int PIECE_BYTES = 1 << 16;
  private static final int HIGH_AT = 0;
  private static final int LOW_AT = 8;
  private static final int OFFSET_AT = 16;

  private final MessageDigest digest = md5();
  private final byte[] hash = new byte[16];
  private final ByteBuffer hashed = ByteBuffer.wrap(hash);
  private ByteBuffer table = ByteBuffer.allocate(0);
  private int slots;
  private int most;
  private int size;

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /**
   * How large a table is.
   *
   * @param maxBytes of memory
   * @param load the largest share of the slots that is used
   */
  public record Room(long maxBytes, double load) {
    public Room {
      long slots = maxBytes / ENTRY_BYTES;
      if (slots * load < 2) {
        throw new IllegalArgumentException(
            "%d bytes hold no keys at a load of %s; raise log.cleaner.dedupe.buffer.size or lower log.cleaner.threads"
                .formatted(maxBytes, load));
      }
    }

    private int slots() {
      return (int) Math.min(maxBytes, Integer.MAX_VALUE) / ENTRY_BYTES;
    }
  }

  /** Forgets all keys, and takes no more memory than so many keys need. */
  public void clear(Room room, long keys) {
    int allowed = room.slots();
    long wanted = (long) (keys / room.load()) + 2;
    slots = (int) Math.min(allowed, wanted);
    most = wanted <= allowed ? Integer.MAX_VALUE : (int) (slots * room.load());
    size = 0;
    int bytes = slots * ENTRY_BYTES;
    if (table.capacity() < bytes) {
      table = ByteBuffer.allocateDirect(bytes);
    } else {
      zero(bytes);
    }
  }

  private void zero(int bytes) {
    byte[] zeros = new byte[Math.min(bytes, PIECE_BYTES)];
    for (int at = 0; at < bytes; at += zeros.length) {
      table.put(at, zeros, 0, Math.min(zeros.length, bytes - at));
    }
  }

  /** Gives the memory back. */
  void release() {
    table = ByteBuffer.allocate(0);
    slots = 0;
    size = 0;
  }

  int size() {
    return size;
  }

  /** Whether no other key may be added. */
  public boolean isFull() {
    return size >= most;
  }

  /** Notes that a key has a record at an offset, which is larger than all before. */
  public void put(byte[] key, int keyBytes, long offset) {
    int at = find(key, keyBytes);
    if (table.getLong(at + OFFSET_AT) == 0) {
      table.putLong(at + HIGH_AT, hashed.getLong(HIGH_AT));
      table.putLong(at + LOW_AT, hashed.getLong(LOW_AT));
      size++;
    }
    table.putLong(at + OFFSET_AT, offset + 1);
  }

  /** The latest offset of a key, or {@link #NONE}. */
  public long get(byte[] key, int keyBytes) {
    return size == 0 ? NONE : table.getLong(find(key, keyBytes) + OFFSET_AT) - 1;
  }

  /** Where a key stands in the table, or the free slot where it would. */
  private int find(byte[] key, int keyBytes) {
    hash(key, keyBytes);
    long high = hashed.getLong(HIGH_AT);
    long low = hashed.getLong(LOW_AT);
    int slot = (int) Long.remainderUnsigned(high, slots);
    while (true) {
      int at = slot * ENTRY_BYTES;
      if (table.getLong(at + OFFSET_AT) == 0
          || (table.getLong(at + HIGH_AT) == high && table.getLong(at + LOW_AT) == low)) {
        return at;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
  }

  private void hash(byte[] key, int keyBytes) {
    try {
      digest.update(key, 0, keyBytes);
      digest.digest(hash, 0, hash.length);
    } catch (DigestException noRoom) {
      throw new IllegalStateException(noRoom);
    }
  }
}
