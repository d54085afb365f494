package io.tidelog.explain;

import io.tidelog.disk.DiskFile;
import io.tidelog.explain.ByteExplanation.Field;
import io.tidelog.explain.ByteExplanation.Meaning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes of small text files: which line, and which field of it. */
final class TextBytes {
  private static final int MAX_BYTES = 64 << 20;
  private static final String[] OFFSET_FIELDS = {"topic", "partition", "offset"};
  private static final String[] EPOCH_FIELDS = {"epoch", "startOffset"};

  private final FileKind kind;
  private final String text;
  private final int position;
  private final int lineStart;
  private final int lineEnd;
  private final int line;

  private TextBytes(FileKind kind, String text, int position) {
    this.kind = kind;
    this.text = text;
    this.position = position;
    this.lineStart = text.lastIndexOf('\n', position - 1) + 1;
    int end = text.indexOf('\n', position);
    this.lineEnd = end < 0 ? text.length() : end;
    this.line = 1 + (int) text.substring(0, position).chars().filter(c -> c == '\n').count();
  }

  static Meaning at(DiskFile file, FileKind kind, long position) throws IOException {
    ByteBuffer contents =
        ByteBuffer.allocate((int) Math.min(file.sizeBytes(), Math.max(MAX_BYTES, position + 1)));
    file.read(contents, 0);
    String text = StandardCharsets.ISO_8859_1.decode(contents.flip()).toString();
    return new TextBytes(kind, text, (int) position).meaning();
  }

  private Meaning meaning() {
    String thing = "line " + line;
    String whole = utf8(text.substring(lineStart, lineEnd));
    if (position == lineEnd) {
      return Meaning.of(thing, new Field("end of the line", position, 1, "\\n"), whole);
    }
    return Meaning.of(thing, field(), whole);
  }

  private Field field() {
    return switch (kind) {
      case OFFSETS -> word(OFFSET_FIELDS);
      case LEADER_EPOCHS -> word(EPOCH_FIELDS);
      case PARTITION_METADATA -> keyed(':');
      case META_PROPERTIES -> keyed('=');
      default -> field("text", lineStart, lineEnd);
    };
  }

  /** A word of a checkpoint: of its first two lines the only one. */
  private Field word(String[] names) {
    if (line == 1) {
      return field("version", lineStart, lineEnd);
    }
    if (line == 2) {
      return field("count", lineStart, lineEnd);
    }
    int word = (int) text.substring(lineStart, position).chars().filter(c -> c == ' ').count();
    if (text.charAt(position) == ' ') {
      return new Field("separator", position, 1, "a space");
    }
    int start = Math.max(lineStart, text.lastIndexOf(' ', position) + 1);
    int end = text.indexOf(' ', position);
    String name = word < names.length ? names[word] : "unexpected text";
    return field(name, start, end < 0 || end > lineEnd ? lineEnd : end);
  }

  private Field keyed(char separator) {
    int at = text.indexOf(separator, lineStart);
    if (at < 0 || at >= lineEnd || text.charAt(lineStart) == '#') {
      return field("text", lineStart, lineEnd);
    }
    String key = utf8(text.substring(lineStart, at));
    if (position < at) {
      return field("name of " + key, lineStart, at);
    }
    return position == at
        ? new Field("separator", position, 1, String.valueOf(separator))
        : field(key, at + 1, lineEnd);
  }

  private Field field(String name, int start, int end) {
    return new Field(name, start, (long) end - start, utf8(text.substring(start, end)).strip());
  }

  private static String utf8(String bytes) {
    return LogBytes.text(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
