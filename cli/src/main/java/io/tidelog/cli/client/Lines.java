package io.tidelog.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads lines as bytes: what stands before each line feed, whatever it is; a carriage return stays.
 * Bytes after the last line feed are a line too.
 */
final class Lines {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final InputStream in;
  private final int maxLineBytes;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;
  private long number;

  Lines(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * The next line, without its line feed; null at the end.
   *
   * @throws TooLongException if it has more bytes than allowed
   */
  byte[] next() throws IOException {
    line.reset();
    while (at < end || fill()) {
      int stop = lineFeedOrEnd();
      if (line.size() + (stop - at) > maxLineBytes) {
        throw new TooLongException(number + 1, maxLineBytes);
      }
      line.write(buffer, at, stop - at);
      at = stop + 1;
      if (stop < end) {
        return counted();
      }
    }
    return line.size() == 0 ? null : counted();
  }

  /** The number of the line that was read last, from 1. */
  long number() {
    return number;
  }

  private byte[] counted() {
    number++;
    return line.toByteArray();
  }

  private int lineFeedOrEnd() {
    int stop = at;
    while (stop < end && buffer[stop] != '\n') {
      stop++;
    }
    return stop;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  /** A line has more bytes than allowed. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException(long number, int maxLineBytes) {
      super("line %d has more than %,d bytes".formatted(number, maxLineBytes));
    }
  }
}
