package io.tidelog.broker;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen, or what to advertise.
 *
 * @param name the listener's name, upper case
 * @param address host and port, unresolved; an empty host stands for all addresses of the machine
 */
record Listener(String name, InetSocketAddress address) {
  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_.-]+)://(\\[[0-9A-Fa-f:.%]+]|[^:/\\[\\]]*):([0-9]{1,5})");

  private static final String ALLOWED =
      "a list such as PLAINTEXT://127.0.0.1:9092, each listener with a name, host and port";

  private static final int MOST_PORT = 65_535;

  /** Reads {@code NAME://HOST:PORT, …}; each name may come once. */
  static List<Listener> parse(String setting, String value) {
    List<Listener> listeners = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String text : value.split(",", -1)) {
      Matcher form = FORM.matcher(text.trim());
      if (!form.matches() || Integer.parseInt(form.group(3)) > MOST_PORT) {
        throw InvalidSettingException.of(setting, value, ALLOWED);
      }
      String name = form.group(1).toUpperCase(Locale.ROOT);
      if (!names.add(name)) {
        throw InvalidSettingException.of(setting, value, "each listener's name once");
      }
      listeners.add(
          new Listener(
              name,
              InetSocketAddress.createUnresolved(
                  withoutBrackets(form.group(2)), Integer.parseInt(form.group(3)))));
    }
    return listeners;
  }

  /** Reads {@code NAME:PROTOCOL, …}, which protocol each listener speaks. */
  static Map<String, String> parseProtocols(String setting, String value) {
    Map<String, String> protocols = new HashMap<>();
    for (String text : value.split(",", -1)) {
      String[] pair = text.trim().split(":", -1);
      if (pair.length == 2) {
        protocols.put(pair[0].toUpperCase(Locale.ROOT), pair[1].toUpperCase(Locale.ROOT));
      } else if (!text.isBlank()) {
        throw InvalidSettingException.of(setting, value, "a list such as INSIDE:PLAINTEXT");
      }
    }
    return protocols;
  }

  /** The address to listen on. */
  InetSocketAddress toBind() {
    String host = address.getHostString();
    return host.isEmpty()
        ? new InetSocketAddress(address.getPort())
        : new InetSocketAddress(host, address.getPort());
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
