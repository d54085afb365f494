package io.tidelog.checkpoint;

import io.tidelog.disk.DiskFile;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads a text line by line, in memory that does not grow with the file: of a line that is longer
 * than any of a checkpoint only the beginning is kept.
 */
final class LineReader implements Closeable {
  private static final int PIECE_BYTES = 8 << 10;
  private static final int MAX_LINE_BYTES = 4096;

  private final DiskFile file;
  private final long sizeBytes;
  private final ByteBuffer piece;
  private long at;
  private boolean isAfterReturn;
  private boolean isCutOff;

  private LineReader(DiskFile file, long sizeBytes) {
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.piece = ByteBuffer.allocate((int) Math.min(sizeBytes, PIECE_BYTES)).limit(0);
  }

  /** Of a file that is closed with the reader, or if this fails. */
  static LineReader of(DiskFile file) throws IOException {
    try {
      return new LineReader(file, file.sizeBytes());
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** Length of the file. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** The next line without its line feed, carriage return or both; null at the end. */
  String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean isAny = false;
    while (hasByte()) {
      byte next = piece.get();
      boolean isSecondOfTwo = next == '\n' && isAfterReturn;
      isAfterReturn = next == '\r';
      if (isSecondOfTwo) {
        continue;
      }
      if (next == '\n' || next == '\r') {
        return text(line);
      }
      isAny = true;
      if (line.size() < MAX_LINE_BYTES) {
        line.write(next);
      }
    }
    isCutOff = isAny;
    return isAny ? text(line) : null;
  }

  /** Whether the last line has no end: more may have followed. */
  boolean isCutOff() {
    return isCutOff;
  }

  private static String text(ByteArrayOutputStream line) {
    return line.toString(StandardCharsets.UTF_8);
  }

  private boolean hasByte() throws IOException {
    if (!piece.hasRemaining()) {
      at += file.read(piece.clear(), at);
      piece.flip();
    }
    return piece.hasRemaining();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
