package io.tidelog.producer;

import java.io.IOException;
import java.nio.file.Path;

/** A producer snapshot is not as its format says. It can be deleted: the batches say the same. */
public final class CorruptSnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptSnapshotException(Path file, int position, String found, String expected) {
    super(
        "%s at byte %d: found %s, expected %s. Delete it; it is then rebuilt from the batches."
            .formatted(file, position, found, expected));
  }
}
