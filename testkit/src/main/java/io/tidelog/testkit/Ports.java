package io.tidelog.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Free ports of this machine. */
public final class Ports {
  private Ports() {}

  /** A port that nobody uses now. */
  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
