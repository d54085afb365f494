package io.tidelog.testkit;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of this machine. */
public final class Ports {
  private static final int FIRST = 10_240;
  private static final int END = 32_768;
  private static final int MAX_TRIES = 100;

  private Ports() {}

  /**
   * A port that nobody uses now. It lies below those that systems hand out by themselves: one of
   * these may be another's before it is listened on, even the client's that waits for the server
   * and is then connected to itself.
   */
  public static int free() throws IOException {
    for (int tries = 1; ; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        if (tries == MAX_TRIES) {
          throw taken;
        }
      }
    }
  }
}
