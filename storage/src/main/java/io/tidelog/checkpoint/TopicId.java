package io.tidelog.checkpoint;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A topic's unique id: 128 bits, written as 22 characters of URL-safe base64.
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record TopicId(long high, long low) {
  private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{22}");
  private static final long VERSION_MASK = 0xF000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;
  private static final long VARIANT_RFC = 0x8000_0000_0000_0000L;

  /** Ids are drawn by chance: two that differ in so few characters are one, with a wrong bit. */
  private static final int MOST_WRONG_CHARACTERS = 2;

  /** Stands for "no id" on the wire; no topic has it. */
  public static final TopicId ZERO = new TopicId(0, 0);

  /**
   * A new id: a version-4 UUID whose text has no dash, so that it can never look like an option to
   * a command.
   */
  public static TopicId random(RandomGenerator random) {
    while (true) {
      TopicId id =
          new TopicId(
              (random.nextLong() & ~VERSION_MASK) | VERSION_4,
              (random.nextLong() & ~VARIANT_MASK) | VARIANT_RFC);
      if (id.toString().indexOf('-') < 0) {
        return id;
      }
    }
  }

  /**
   * Reads the 22-character form.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static TopicId parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "an id has 22 characters of URL-safe base64, this is \"" + text + "\"");
    }
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
    return new TopicId(bytes.getLong(), bytes.getLong());
  }

  /** Whether this differs from another in so few characters that one of the two is damaged. */
  public boolean isAlmost(TopicId other) {
    String text = toString();
    String others = other.toString();
    int wrong = 0;
    for (int i = 0; i < text.length(); i++) {
      wrong += text.charAt(i) == others.charAt(i) ? 0 : 1;
    }
    return wrong > 0 && wrong <= MOST_WRONG_CHARACTERS;
  }

  // Written out because Java would make them at their first call, in some milliseconds.

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicId that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }

  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
