package io.tidelog.net;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A listener could not be opened; the message names the address and what to do. */
public final class ListenException extends IOException {

  private ListenException(String message, IOException cause) {
    super(message, cause);
  }

  static ListenException unknownHost(InetSocketAddress address) {
    return new ListenException(
        "Cannot listen on "
            + show(address)
            + ": no address is known for that host name. Use an address of this machine.",
        null);
  }

  static ListenException of(InetSocketAddress address, IOException cause) {
    String reason = String.valueOf(cause.getMessage());
    return new ListenException("Cannot listen on " + show(address) + ": " + explain(reason), cause);
  }

  private static String explain(String reason) {
    if (reason.contains("already in use")) {
      return "another program uses that port. Stop it, or choose another port (0 takes any free one).";
    }
    if (reason.contains("assign requested address")) {
      return "this machine has no such address. Use one of its own, or 0.0.0.0 for all of them.";
    }
    if (reason.contains("ermission denied")) {
      return "ports below 1024 need privileges. Choose a higher port.";
    }
    return reason + ".";
  }

  private static String show(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }
}
