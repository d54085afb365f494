package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.CheckThreads.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A log in pieces, which are checked ahead by threads that have nothing else to do. Where a piece
 * may begin the offset index tells, and that is a hint: what was found in a piece is taken only if
 * the batches before it end exactly where it begins. Memory is that of a few pieces.
 */
final class Pieces {
  private static final int PIECE_BYTES = 4 << 20;
  private static final int ENTRY_BYTES = 8;
  private static final int POSITION_AT = 4;

  private final CheckThreads threads;
  private final NavigableSet<Integer> starts;
  private final int logBytes;
  private final Check check;
  private final NavigableMap<Integer, Result<PieceFacts>> ahead = new TreeMap<>();

  /** Checks the batches that begin between two positions, on any thread. */
  @FunctionalInterface
  interface Check {
    PieceFacts run(int from, int to) throws IOException;
  }

  /**
   * @param starts where batches may begin
   */
  Pieces(CheckThreads threads, NavigableSet<Integer> starts, int logBytes, Check check) {
    this.threads = threads;
    this.starts = starts;
    this.logBytes = logBytes;
    this.check = check;
  }

  /** About one in so many bytes of the positions that an offset index has. */
  static NavigableSet<Integer> starts(PartitionContext context, long baseOffset, int logBytes)
      throws IOException {
    NavigableSet<Integer> starts = new TreeSet<>();
    int pieces = logBytes / PIECE_BYTES;
    if (pieces < 2) {
      return starts;
    }
    ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES);
    try (DiskFile index =
        context.disk().openReadOnly(context.files().path(baseOffset, SegmentFiles.OFFSET_INDEX))) {
      long entries = index.sizeBytes() / ENTRY_BYTES;
      for (long piece = 1; piece < pieces; piece++) {
        index.read(entry.clear(), entries * piece / pieces * ENTRY_BYTES);
        int position = entry.getInt(POSITION_AT);
        if (position > 0 && position < logBytes) {
          starts.add(position);
        }
      }
    } catch (NoSuchFileException toldByIndexChecks) {
      starts.clear();
    }
    return starts;
  }

  /** What was found in the piece that begins at a position, if one was checked ahead. */
  Optional<PieceFacts> at(int position) throws IOException {
    ahead.headMap(position).clear();
    for (int start : starts.tailSet(position)) {
      if (ahead.size() > threads.count()) {
        break;
      }
      ahead.computeIfAbsent(start, from -> threads.submit(() -> check.run(from, endFrom(from))));
    }
    Result<PieceFacts> piece = ahead.remove(position);
    return piece == null ? Optional.empty() : Optional.of(piece.get());
  }

  /** Where the next piece may begin after a position. */
  int endFrom(int position) {
    Integer next = starts.higher(position);
    return next == null ? logBytes : next;
  }
}
