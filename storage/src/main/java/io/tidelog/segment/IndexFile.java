package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file of entries of one size, appended to and searched. New entries gather in a buffer in memory
 * and are written a chunk at a time; what is in the file is read through a map. Nothing is ever
 * written through a map, so a full disk is an exception and not a fault of a memory access. No file
 * handle stays open.
 *
 * <p>One thread appends; others read entries below {@link #entries} at the same time, without a
 * lock: an entry is put into memory first and counted after. Only what changes {@code contents} is
 * synchronized, since a reader may do so too when it maps the file.
 */
final class IndexFile {
  private static final int FIRST_TAIL_BYTES = 256;
  private static final int CHUNK_BYTES = 4096;

  /** What is added to the name of a directory in the place of the file. */
  private static final String DIRECTORY = ".directory";

  private final Disk disk;
  private final Path path;
  private final int entryBytes;
  private volatile Contents contents;
  private volatile int entries;

  /**
   * What is where.
   *
   * @param map the first {@code mapped} entries of the file
   * @param mapped how many entries the map holds
   * @param written how many entries are in the file
   * @param tail the entries after these, from position 0
   */
  private record Contents(ByteBuffer map, int mapped, int written, ByteBuffer tail) {}

  private IndexFile(Disk disk, Path path, int entryBytes, int entries) {
    this.disk = disk;
    this.path = path;
    this.entryBytes = entryBytes;
    this.contents = new Contents(ByteBuffer.allocate(0), 0, entries, ByteBuffer.allocate(0));
    this.entries = entries;
  }

  /** Starts an empty file; a file of this name is replaced, a directory gets another name. */
  static IndexFile create(Disk disk, Path path, int entryBytes) throws IOException {
    if (disk.isDirectory(path)) {
      disk.rename(path, path.resolveSibling(path.getFileName() + DIRECTORY));
    } else if (disk.exists(path)) {
      disk.delete(path);
    }
    disk.create(path).close();
    return new IndexFile(disk, path, entryBytes, 0);
  }

  /** No entries and no file; that is made when the first ones are written. */
  static IndexFile absent(Disk disk, Path path, int entryBytes) {
    return new IndexFile(disk, path, entryBytes, 0);
  }

  /**
   * Takes up an existing file, and leaves out what Kafka may have reserved after the last entry.
   *
   * @throws CorruptLogException if its length is not a whole number of entries
   */
  static IndexFile openPadded(Disk disk, Path path, int entryBytes) throws IOException {
    IndexFile index = open(disk, path, entryBytes);
    index.keepFirst(index.unpadded());
    return index;
  }

  /** The same entries, to be read only: the file stays as it is. */
  static IndexFile viewPadded(Disk disk, Path path, int entryBytes) throws IOException {
    IndexFile index = open(disk, path, entryBytes);
    return new IndexFile(disk, path, entryBytes, index.unpadded());
  }

  /**
   * Takes up an existing file.
   *
   * @throws CorruptLogException if its length is not a whole number of entries
   */
  static IndexFile open(Disk disk, Path path, int entryBytes) throws IOException {
    if (disk.isDirectory(path)) {
      throw new CorruptLogException(path, 0, "this is a directory, expected a file");
    }
    long sizeBytes = disk.sizeBytes(path);
    if (sizeBytes % entryBytes != 0 || sizeBytes > Integer.MAX_VALUE) {
      throw new CorruptLogException(
          path,
          sizeBytes,
          "the file has " + sizeBytes + " bytes, expected a multiple of " + entryBytes);
    }
    return new IndexFile(disk, path, entryBytes, (int) (sizeBytes / entryBytes));
  }

  /**
   * Kafka reserves the room for an active segment's entries beforehand and may leave it so: zeros
   * after the last entry. No entry but padding is all zeros, and entries rise, so a search by
   * halves finds where the padding begins: how many entries lie before it.
   */
  private int unpadded() throws IOException {
    if (entries == 0 || !isZero(entries - 1)) {
      return entries;
    }
    int low = 0;
    int high = entries - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isZero(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private boolean isZero(int entry) throws IOException {
    for (int field = 0; field < entryBytes; field += Integer.BYTES) {
      if (intAt(entry, field) != 0) {
        return false;
      }
    }
    return true;
  }

  Path path() {
    return path;
  }

  int entries() {
    return entries;
  }

  int intAt(int entry, int field) throws IOException {
    Contents now = holding(entry);
    return entry < now.written
        ? now.map.getInt(entry * entryBytes + field)
        : now.tail.getInt((entry - now.written) * entryBytes + field);
  }

  long longAt(int entry, int field) throws IOException {
    Contents now = holding(entry);
    return entry < now.written
        ? now.map.getLong(entry * entryBytes + field)
        : now.tail.getLong((entry - now.written) * entryBytes + field);
  }

  /** How a number in an entry is written. */
  enum Width {
    UNSIGNED_INT,
    LONG
  }

  /**
   * The last entry whose number at this place is at most a key, or -1; the numbers there must not
   * fall from one entry to the next.
   */
  int floor(int field, Width width, long key) throws IOException {
    int low = 0;
    int high = entries - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found =
          width == Width.LONG
              ? longAt(middle, field)
              : Integer.toUnsignedLong(intAt(middle, field));
      if (found <= key) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /**
   * The room for one more entry in memory: the caller puts the entry there and then calls {@link
   * #published}. A full chunk is written to the file first; if that fails, as on a full disk, the
   * entries stay in memory until it succeeds, for an index is a cache and must not fail an append.
   */
  synchronized ByteBuffer roomForOne() {
    if ((entries - contents.written) * entryBytes >= CHUNK_BYTES - CHUNK_BYTES % entryBytes) {
      writeIfPossible();
    }
    Contents now = contents;
    ByteBuffer tail = now.tail;
    int used = (entries - now.written) * entryBytes;
    if (used + entryBytes > tail.capacity()) {
      tail =
          ByteBuffer.allocate(Math.max(FIRST_TAIL_BYTES, 2 * tail.capacity()))
              .put(0, tail, 0, used);
      contents = new Contents(now.map, now.mapped, now.written, tail);
    }
    return tail.duplicate().position(used);
  }

  /** Makes the entry that was put into {@link #roomForOne} visible. */
  synchronized void published() {
    entries = entries + 1;
  }

  /**
   * Writes what is still in memory to the file.
   *
   * @throws CorruptLogException if somebody has taken away what was written before
   */
  synchronized void write() throws IOException {
    Contents now = contents;
    int tailEntries = entries - now.written;
    if (tailEntries == 0) {
      return;
    }
    try (DiskFile file = openToWrite()) {
      requireWritten(file);
      file.write(now.tail.slice(0, tailEntries * entryBytes), (long) now.written * entryBytes);
      if (now.written == 0) {
        file.truncate((long) tailEntries * entryBytes); // what is to be replaced may be longer
      }
    }
    contents = new Contents(now.map, now.mapped, now.written + tailEntries, ByteBuffer.allocate(0));
  }

  private DiskFile openToWrite() throws IOException {
    return contents.written > 0 || disk.exists(path) ? openWritten() : disk.create(path);
  }

  private DiskFile openWritten() throws IOException {
    try {
      return disk.open(path);
    } catch (NoSuchFileException gone) {
      throw new CorruptLogException(path, 0, "the file is missing");
    }
  }

  private void requireWritten(DiskFile file) throws IOException {
    long writtenBytes = (long) contents.written * entryBytes;
    if (file.sizeBytes() < writtenBytes) {
      throw new CorruptLogException(
          path,
          file.sizeBytes(),
          "the file ends here, %d bytes were written".formatted(writtenBytes));
    }
  }

  /**
   * Writes what is in memory and makes the file durable.
   *
   * @throws CorruptLogException if somebody has taken away what was written before
   */
  void sync() throws IOException {
    write();
    try (DiskFile file = openWritten()) {
      requireWritten(file);
      file.sync();
    }
  }

  /**
   * Keeps the first entries only. The file is replaced rather than cut, since a reader may still
   * hold a map of it.
   */
  synchronized void keepFirst(int kept) throws IOException {
    if (kept >= entries) {
      return;
    }
    write();
    ByteBuffer bytes = ByteBuffer.allocate(kept * entryBytes);
    try (DiskFile file = disk.openReadOnly(path)) {
      file.read(bytes, 0);
    }
    replaceWith(bytes.flip());
  }

  /** As {@link #write}; but if that fails the entries stay in memory. */
  void writeIfPossible() {
    try {
      write();
    } catch (IOException keptInMemory) {
      // The next chunk, or the next sync, tries again; a sync reports what it meets.
    }
  }

  private void replaceWith(ByteBuffer bytes) throws IOException {
    int kept = bytes.remaining() / entryBytes;
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    if (disk.exists(fresh)) {
      disk.delete(fresh);
    }
    try (DiskFile file = disk.create(fresh)) {
      file.write(bytes, 0);
    }
    disk.rename(fresh, path);
    entries = kept;
    contents = new Contents(ByteBuffer.allocate(0), 0, kept, ByteBuffer.allocate(0));
  }

  private Contents holding(int entry) throws IOException {
    Contents now = contents;
    if (entry < now.written && entry >= now.mapped) {
      return remap();
    }
    return now;
  }

  /**
   * @throws CorruptLogException if somebody has taken away what was written
   */
  private synchronized Contents remap() throws IOException {
    Contents now = contents;
    long neededBytes = (long) now.written * entryBytes;
    ByteBuffer map;
    try (DiskFile file = disk.openReadOnly(path)) {
      requireWritten(file);
      map = file.map(0, neededBytes);
    } catch (NoSuchFileException gone) {
      throw new CorruptLogException(path, 0, "the file is missing");
    }
    Contents mapped = new Contents(map, now.written, now.written, now.tail);
    contents = mapped;
    return mapped;
  }
}
