package io.tidelog.testkit;

import io.tidelog.testkit.CrashLuck.Mood;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The bytes of one file twice over: as programs see them, and as they would be after a power cut.
 * Guarded by the disk, except that maps are read without a lock, as real ones are.
 */
final class SimContents implements SimNode {
  static final int BLOCK_BYTES = 4096;
  static final int SECTOR_BYTES = 512;
  static final int MAX_BYTES = 1 << 30;

  private byte[] bytes = new byte[0];
  private int sizeBytes;
  private byte[] durable = new byte[0];
  private int durableBytes;
  private final BitSet unsynced = new BitSet();

  /**
   * Blocks that a sync failed to write: the system takes them for clean, but nothing says that they
   * are on disk.
   */
  private final BitSet forgotten = new BitSet();

  private final List<Mapped> maps = new ArrayList<>();
  private int handles;
  private boolean linked = true;
  private long modifiedMs;

  private record Mapped(int position, WeakReference<byte[]> view) {}

  SimContents(long modifiedMs) {
    this.modifiedMs = modifiedMs;
  }

  int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public long totalBytes() {
    return sizeBytes;
  }

  long modifiedMs() {
    return modifiedMs;
  }

  /** The time of a file is not one of the things that a power cut can take. */
  void setModifiedMs(long timeMs) {
    modifiedMs = timeMs;
  }

  void opened() {
    handles++;
  }

  void closed() {
    handles--;
  }

  void unlinked() {
    linked = false;
  }

  /** Whether neither a name nor a handle leads here. */
  boolean isGone() {
    return !linked && handles == 0;
  }

  int read(ByteBuffer target, long position) {
    int count = (int) Math.max(0, Math.min(target.remaining(), sizeBytes - position));
    if (count > 0) {
      target.put(bytes, (int) position, count);
    }
    return count;
  }

  void write(ByteBuffer source, int position, long nowMs) {
    int count = source.remaining();
    if (count == 0) {
      return;
    }
    int end = position + count;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, Math.min(MAX_BYTES, 2 * bytes.length)));
    }
    source.get(bytes, position, count);
    unsynced.set(block(Math.min(position, sizeBytes)), block(end - 1) + 1);
    sizeBytes = Math.max(sizeBytes, end);
    modifiedMs = nowMs;
    showInMaps(position, end);
  }

  void truncate(int toBytes, long nowMs) {
    if (toBytes < sizeBytes) {
      Arrays.fill(bytes, toBytes, sizeBytes, (byte) 0);
      unsynced.set(block(toBytes), block(sizeBytes - 1) + 1);
      sizeBytes = toBytes;
      modifiedMs = nowMs;
    }
  }

  ByteBuffer map(int position, int length) {
    byte[] view = Arrays.copyOfRange(bytes, position, position + length);
    maps.add(new Mapped(position, new WeakReference<>(view)));
    return ByteBuffer.wrap(view).asReadOnlyBuffer();
  }

  private void showInMaps(int start, int end) {
    for (Iterator<Mapped> all = maps.iterator(); all.hasNext(); ) {
      Mapped map = all.next();
      byte[] view = map.view.get();
      if (view == null) {
        all.remove();
        continue;
      }
      int from = Math.max(start, map.position);
      int to = Math.min(end, map.position + view.length);
      if (from < to) {
        System.arraycopy(bytes, from, view, from - map.position, to - from);
      }
    }
  }

  void sync() {
    unsynced.stream().forEach(this::makeDurable);
    unsynced.clear();
    setDurableLength();
  }

  /** What a failed sync leaves behind. */
  void forgetUnsynced() {
    forgotten.or(unsynced);
    unsynced.clear();
  }

  /** What the system may do at any time: writes some blocks on its own. */
  void writeBack(RandomGenerator random) {
    for (int block = unsynced.nextSetBit(0); block >= 0; block = unsynced.nextSetBit(block + 1)) {
      if (random.nextBoolean()) {
        makeDurable(block);
        unsynced.clear(block);
      }
    }
    if (random.nextBoolean()) {
      setDurableLength();
    }
  }

  private void makeDurable(int block) {
    int start = block * BLOCK_BYTES;
    int end = Math.min(sizeBytes, start + BLOCK_BYTES);
    if (start < end) {
      if (end > durable.length) {
        durable = Arrays.copyOf(durable, bytes.length);
      }
      System.arraycopy(bytes, start, durable, start, end - start);
    }
    forgotten.clear(block);
  }

  private void setDurableLength() {
    durableBytes = sizeBytes;
    if (sizeBytes < durable.length) {
      Arrays.fill(durable, sizeBytes, durable.length, (byte) 0);
    }
  }

  /** What is there after a power cut, all of it durable. */
  SimContents afterCrash(CrashLuck luck) {
    Mood mood = luck.moodOfFile();
    SimContents after = new SimContents(modifiedMs);
    after.sizeBytes = lengthAfterCrash(mood, luck);
    after.bytes = Arrays.copyOf(durable, after.sizeBytes);
    BitSet doubtful = (BitSet) unsynced.clone();
    doubtful.or(forgotten);
    int end = Math.min(sizeBytes, after.sizeBytes);
    doubtful.stream()
        .takeWhile(block -> block * BLOCK_BYTES < end)
        .forEach(block -> keepSome(after.bytes, block, end, mood, luck));
    after.durable = after.bytes.clone();
    after.durableBytes = after.sizeBytes;
    return after;
  }

  private int lengthAfterCrash(Mood mood, CrashLuck luck) {
    return switch (mood) {
      case KEEPS_ALL -> sizeBytes;
      case DROPS_ALL -> durableBytes;
      case MIXED -> {
        int between =
            Math.min(sizeBytes, durableBytes) + luck.below(1 + Math.abs(sizeBytes - durableBytes));
        yield luck.coin() ? between : luck.coin() ? sizeBytes : durableBytes;
      }
    };
  }

  private void keepSome(byte[] after, int block, int end, Mood mood, CrashLuck luck) {
    int drawn = mood == Mood.KEEPS_ALL ? 0 : mood == Mood.DROPS_ALL ? 1 : luck.below(3);
    int start = block * BLOCK_BYTES;
    int blockEnd = Math.min(end, start + BLOCK_BYTES);
    for (int sector = start; sector < blockEnd; sector += SECTOR_BYTES) {
      if (drawn == 0 || (drawn == 2 && luck.coin())) {
        int length = Math.min(SECTOR_BYTES, blockEnd - sector);
        System.arraycopy(bytes, sector, after, sector, length);
      }
    }
  }

  private static int block(int position) {
    return position / BLOCK_BYTES;
  }
}
