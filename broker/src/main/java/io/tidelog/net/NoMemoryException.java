package io.tidelog.net;

import java.io.IOException;

/**
 * The JVM has no direct memory left for a receive buffer, though the limit of receive memory would
 * allow it.
 */
final class NoMemoryException extends IOException {

  NoMemoryException(int sizeBytes) {
    super(
        "there is no direct memory for a receive buffer of "
            + sizeBytes
            + " bytes; raise -XX:MaxDirectMemorySize or lower socket.request.max.bytes");
  }
}
