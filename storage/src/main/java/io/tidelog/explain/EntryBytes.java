package io.tidelog.explain;

import io.tidelog.disk.DiskFile;
import io.tidelog.explain.ByteExplanation.Field;
import io.tidelog.explain.ByteExplanation.Meaning;
import io.tidelog.producer.ProducerSnapshot;
import io.tidelog.record.Layout;
import io.tidelog.segment.IndexWalk;
import io.tidelog.segment.TxnIndexWalk;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of files that consist of entries of one size, perhaps after a header. */
final class EntryBytes {
  private static final Layout NO_HEADER = Layout.empty();

  private final DiskFile file;
  private final FileKind kind;
  private final long position;
  private final Layout header;
  private final Layout entry;
  private final long baseOffset;

  private EntryBytes(DiskFile file, FileKind kind, long position) {
    this.file = file;
    this.kind = kind;
    this.position = position;
    this.header = kind == FileKind.PRODUCER_SNAPSHOT ? ProducerSnapshot.HEADER : NO_HEADER;
    this.entry =
        switch (kind) {
          case OFFSET_INDEX -> IndexWalk.OFFSET_ENTRY;
          case TIME_INDEX -> IndexWalk.TIME_ENTRY;
          case TXN_INDEX -> TxnIndexWalk.ENTRY;
          case PRODUCER_SNAPSHOT -> ProducerSnapshot.ENTRY;
          default -> throw new IllegalArgumentException(kind + " has no entries");
        };
    this.baseOffset = FileKind.baseOffset(file.path());
  }

  static Meaning at(DiskFile file, FileKind kind, long position) throws IOException {
    return new EntryBytes(file, kind, position).meaning();
  }

  private Meaning meaning() throws IOException {
    if (position < header.sizeBytes()) {
      return inThing("header", 0, header);
    }
    long number = (position - header.sizeBytes()) / entry.sizeBytes();
    long start = header.sizeBytes() + number * entry.sizeBytes();
    if (isUnused(start)) {
      return Meaning.of(
          "unused room",
          new Field("none", start, file.sizeBytes() - start, "0"),
          "set aside by Kafka for entries that did not come");
    }
    return inThing("entry " + number, start, entry);
  }

  private Meaning inThing(String what, long start, Layout layout) throws IOException {
    String thing = what + " at byte " + start;
    Layout.Field field = layout.at((int) (position - start));
    ByteBuffer bytes = read(start, layout.sizeBytes());
    if (bytes.limit() < layout.sizeBytes()) {
      return Meaning.of(
              thing,
              new Field(field.name(), start + field.at(), field.size(), "cut"),
              "the file ends inside of it")
          .damaged(
              "%s at byte %d: found %d bytes, expected %d"
                  .formatted(file.path(), start, bytes.limit(), layout.sizeBytes()));
    }
    StringBuilder summary = new StringBuilder();
    for (Layout.Field each : layout.fields()) {
      summary.append(summary.isEmpty() ? "" : ", ").append(each.name()).append(' ');
      summary.append(value(each, bytes));
    }
    return Meaning.of(
        thing,
        new Field(field.name(), start + field.at(), field.size(), value(field, bytes)),
        summary.toString());
  }

  private ByteBuffer read(long at, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    file.read(bytes, at);
    return bytes.flip();
  }

  private String value(Layout.Field field, ByteBuffer bytes) {
    long value = field.valueIn(bytes, 0);
    return switch (field.name()) {
      case "relativeOffset" ->
          "%d (offset %d)".formatted(value & 0xffffffffL, baseOffset + (value & 0xffffffffL));
      case "timestamp" -> LogBytes.timestamp(value);
      case "crc" -> "0x%08x".formatted((int) value);
      default -> Long.toString(value);
    };
  }

  /** Whether zeros alone follow; a first entry of zeros alone may be one. */
  private boolean isUnused(long start) throws IOException {
    boolean isIndex = kind == FileKind.OFFSET_INDEX || kind == FileKind.TIME_INDEX;
    if (!isIndex || (start == 0 && file.sizeBytes() < 2L * entry.sizeBytes())) {
      return false;
    }
    ByteBuffer piece = ByteBuffer.allocate(1 << 16);
    for (long at = start; at < file.sizeBytes(); at += piece.limit()) {
      if (file.read(piece.clear(), at) == 0) {
        return false;
      }
      piece.flip();
      while (piece.hasRemaining()) {
        if (piece.get() != 0) {
          return false;
        }
      }
    }
    return true;
  }
}
