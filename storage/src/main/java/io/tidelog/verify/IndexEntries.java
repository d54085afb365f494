package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.IndexWalk;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The entries of an index, one at hand. What cannot be an entry is told and ends them: what follows
 * it says nothing, and may be as long as the disk.
 */
final class IndexEntries {
  static final int OFFSET_ENTRY_BYTES = 8;
  static final int TIME_ENTRY_BYTES = 12;

  private final IndexWalk walk;
  private final Path path;
  private final int entryBytes;
  private final FindingKind kind;
  private final FindingList findings;
  private boolean hasEntry;
  private int count;
  private boolean isCutShort;

  private IndexEntries(IndexWalk walk, Path path, FindingKind kind, FindingList findings) {
    this.walk = walk;
    this.path = path;
    this.entryBytes = kind == FindingKind.INDEX_WRONG ? OFFSET_ENTRY_BYTES : TIME_ENTRY_BYTES;
    this.kind = kind;
    this.findings = findings;
  }

  /** Those of an offset index. */
  static IndexEntries ofOffsets(DiskFile file, long baseOffset, FindingList findings)
      throws IOException {
    IndexWalk walk = IndexWalk.offsets(file, baseOffset);
    return new IndexEntries(walk, file.path(), FindingKind.INDEX_WRONG, findings).begun(file);
  }

  /** Those of a time index. */
  static IndexEntries ofTimes(DiskFile file, long baseOffset, FindingList findings)
      throws IOException {
    IndexWalk walk = IndexWalk.times(file, baseOffset);
    return new IndexEntries(walk, file.path(), FindingKind.TIME_INDEX_WRONG, findings).begun(file);
  }

  private IndexEntries begun(DiskFile file) throws IOException {
    if (file.sizeBytes() > Integer.MAX_VALUE) {
      isCutShort = true;
      findings.add(tooLarge(kind, file));
    } else {
      advance();
    }
    return this;
  }

  /** A log of two gigabytes has no more entries than fit into as much. */
  static Finding tooLarge(FindingKind kind, DiskFile file) throws IOException {
    return Finding.of(
        kind, file.path(), 0, file.sizeBytes() + " bytes", "at most " + Integer.MAX_VALUE);
  }

  /** Goes to the next entry that can be one. */
  void advance() throws IOException {
    try {
      hasEntry = walk.next();
      if (hasEntry) {
        count++;
      } else {
        requireWholeEntries();
      }
    } catch (CorruptLogException unsound) {
      end();
      findings.add(kind, unsound);
    }
  }

  /** Looks at no more of them. */
  void end() {
    hasEntry = false;
    isCutShort = true;
  }

  /** Whether there may be more than were looked at. */
  boolean isCutShort() {
    return isCutShort;
  }

  /** Zeros after the last entry are unused room, which has a whole number of entries too. */
  private void requireWholeEntries() {
    long cut = walk.unusedBytes() % entryBytes;
    if (cut != 0) {
      findings.add(
          Finding.of(
              kind,
              path,
              walk.position(),
              (walk.position() + walk.unusedBytes()) + " bytes",
              "a multiple of " + entryBytes));
    }
  }

  boolean hasEntry() {
    return hasEntry;
  }

  /** How many there were so far. */
  int count() {
    return count;
  }

  Path path() {
    return path;
  }

  int entryBytes() {
    return entryBytes;
  }

  /** Where the entry at hand, or the end, stands in the file. */
  long position() {
    return walk.position();
  }

  long index() {
    return walk.position() / entryBytes;
  }

  long offset() {
    return walk.offset();
  }

  int logPosition() {
    return walk.logPosition();
  }

  long timestamp() {
    return walk.timestamp();
  }
}
