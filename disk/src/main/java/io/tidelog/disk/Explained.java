package io.tidelog.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Failures of the real disk, in words. The JDK tells a full disk only in the words of the operating
 * system, and a denied access by the file's name alone.
 */
final class Explained {
  private static final List<String> NO_SPACE =
      List.of("no space left", "quota exceeded", "not enough space", "disk is full");
  private static final String DENIED =
      "permission is denied; let this user read and write the file and its folder";

  private Explained() {}

  /** A call that may fail. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws IOException;
  }

  /** What a call answers; what it throws is explained. */
  static <T> T call(Path file, Call<T> call) throws IOException {
    try {
      return call.make();
    } catch (IOException e) {
      throw orSame(file, e);
    }
  }

  /** The failure itself, or one that wraps it and says what it means. */
  static IOException orSame(Path file, IOException failure) {
    if (failure instanceof AccessDeniedException denied && denied.getReason() == null) {
      IOException explained = new AccessDeniedException(denied.getFile(), null, DENIED);
      explained.initCause(denied);
      return explained;
    }
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return NO_SPACE.stream().anyMatch(message::contains)
        ? new DiskFullException(file, failure)
        : failure;
  }
}
