package io.tidelog.cli.terminal;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Shows the bytes of a key or a value: as text where they are UTF-8, else so that nothing is lost.
 */
public final class Payload {
  private Payload() {}

  /** The text, if the bytes are UTF-8. */
  public static Optional<String> text(ByteBuffer bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** On a line for people: text in quotes, or {@code 0x} and hexadecimal digits, or null. */
  public static String forPeople(ByteBuffer bytes) {
    if (bytes == null) {
      return "null";
    }
    return text(bytes).map(JsonLine::of).orElseGet(() -> "0x" + hex(bytes));
  }

  /**
   * Adds a field to what becomes a JSON object: the text under its name or, if the bytes are not
   * UTF-8, their Base64 under its name and {@code Base64}.
   */
  public static void putJson(Map<String, Object> fields, String name, ByteBuffer bytes) {
    Optional<String> text = bytes == null ? Optional.empty() : text(bytes);
    if (bytes == null || text.isPresent()) {
      fields.put(name, text.orElse(null));
    } else {
      fields.put(name + "Base64", Base64.getEncoder().encodeToString(copy(bytes)));
    }
  }

  private static String hex(ByteBuffer bytes) {
    return HexFormat.of().formatHex(copy(bytes));
  }

  private static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }
}
