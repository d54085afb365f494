package io.tidelog.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of something of fixed size, one after the other, big-endian: for tools that explain
 * bytes. The class that owns a format has its layout.
 *
 * @param fields in their order, without gaps
 */
public record Layout(List<Field> fields) {

  /**
   * A field.
   *
   * @param name as in the table of the format
   * @param at where it begins
   * @param size 1, 2, 4 or 8 bytes
   */
  public record Field(String name, int at, int size) {

    /** Its value, with a sign, in something that begins at a place of a buffer. */
    public long valueIn(ByteBuffer buffer, int start) {
      return switch (size) {
        case Byte.BYTES -> buffer.get(start + at);
        case Short.BYTES -> buffer.getShort(start + at);
        case Integer.BYTES -> buffer.getInt(start + at);
        case Long.BYTES -> buffer.getLong(start + at);
        default -> throw new IllegalStateException("no number has " + size + " bytes");
      };
    }
  }

  public Layout {
    fields = List.copyOf(fields);
  }

  /** No fields yet; see {@link #then}. */
  public static Layout empty() {
    return new Layout(List.of());
  }

  /** With one more field at the end. */
  public Layout then(String name, int size) {
    List<Field> more = new ArrayList<>(fields);
    more.add(new Field(name, sizeBytes(), size));
    return new Layout(more);
  }

  /** Bytes of all fields. */
  public int sizeBytes() {
    return fields.isEmpty() ? 0 : last().at + last().size;
  }

  private Field last() {
    return fields.get(fields.size() - 1);
  }

  /** The field that has a byte. */
  public Field at(int position) {
    for (Field field : fields) {
      if (position < field.at + field.size) {
        return field;
      }
    }
    throw new IndexOutOfBoundsException(position + " of " + sizeBytes());
  }
}
