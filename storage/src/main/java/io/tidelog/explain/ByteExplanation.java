package io.tidelog.explain;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What one byte of a file means. Every byte of every kind of file has an answer, also where the
 * file is damaged.
 *
 * @param file the file
 * @param position which byte, from 0
 * @param octet its value, 0 to 255
 * @param kind what the file is, by its name
 * @param thing the batch, entry or line that the byte is in, and where that is
 * @param field the field that the byte is in
 * @param summary what the thing says as a whole; empty if there is nothing more to say
 * @param damage what is wrong with the thing, if something is
 */
public record ByteExplanation(
    Path file,
    long position,
    int octet,
    FileKind kind,
    String thing,
    Field field,
    String summary,
    Optional<String> damage) {

  /**
   * A field.
   *
   * @param name as the tables of the formats have it
   * @param at byte of the file at which it starts
   * @param sizeBytes how long it is
   * @param value its value, for people
   */
  public record Field(String name, long at, long sizeBytes, String value) {}

  /** What is known of a byte before it is known which file it is in. */
  record Meaning(String thing, Field field, String summary, Optional<String> damage) {
    static Meaning of(String thing, Field field, String summary) {
      return new Meaning(thing, field, summary, Optional.empty());
    }

    Meaning damaged(String what) {
      return new Meaning(thing, field, summary, Optional.of(what));
    }
  }

  /**
   * Explains a byte.
   *
   * @throws IndexOutOfBoundsException if the file has no such byte
   * @throws IOException if the file cannot be read
   */
  public static ByteExplanation of(Disk disk, Path file, long position) throws IOException {
    try (DiskFile opened = disk.openReadOnly(file)) {
      if (position < 0 || position >= opened.sizeBytes()) {
        throw new IndexOutOfBoundsException(
            "%s has %d bytes, so none at %d".formatted(file, opened.sizeBytes(), position));
      }
      ByteBuffer octet = ByteBuffer.allocate(1);
      opened.read(octet, position);
      FileKind kind = FileKind.of(file);
      Meaning meaning = meaning(kind, opened, position);
      return new ByteExplanation(
          file,
          position,
          Byte.toUnsignedInt(octet.get(0)),
          kind,
          meaning.thing,
          meaning.field,
          meaning.summary,
          meaning.damage);
    }
  }

  private static Meaning meaning(FileKind kind, DiskFile file, long position) throws IOException {
    return switch (kind) {
      case LOG, METADATA_SNAPSHOT -> LogBytes.at(file, (int) position);
      case OFFSET_INDEX, TIME_INDEX, TXN_INDEX, PRODUCER_SNAPSHOT ->
          EntryBytes.at(file, kind, position);
      default -> TextBytes.at(file, kind, position);
    };
  }
}
