package io.tidelog.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Tells a full disk from other failures: the JDK reports it only in the words of the operating
 * system.
 */
final class NoSpace {
  private static final List<String> WORDS =
      List.of("no space left", "quota exceeded", "not enough space", "disk is full");

  private NoSpace() {}

  /** The failure itself, or a {@link DiskFullException} that wraps it. */
  static IOException orSame(Path file, IOException failure) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return WORDS.stream().anyMatch(message::contains)
        ? new DiskFullException(file, failure)
        : failure;
  }
}
