package io.tidelog.cli.client;

import io.tidelog.cli.terminal.CommandException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Option;

/** Which broker to talk to, and how: options of all commands that need one. */
public final class BrokerOptions {
  private static final int CONNECT_TIMEOUT_MS = 3_000;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9092",
      description = "The broker; several with commas between (default: ${DEFAULT-VALUE}).")
  private String bootstrap;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "How long to wait for an answer (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Option(
      names = "--client",
      paramLabel = "NAME=VALUE",
      description =
          "A setting of Kafka's client, such as group.protocol=consumer. May be repeated.")
  private Map<String, String> clientSettings = new LinkedHashMap<>();

  /** How long to wait for an answer. */
  public long timeoutMs() {
    return TimeUnit.SECONDS.toMillis(timeoutSeconds);
  }

  /** The broker's address, as it was given. */
  public String bootstrap() {
    return bootstrap;
  }

  /**
   * What a client of this broker is made from: these settings, over which those of the user go.
   *
   * @throws CommandException if nobody listens there
   */
  public Properties settings(Map<String, Object> own) {
    if (timeoutSeconds <= 0) {
      throw CommandException.usage("--timeout is " + timeoutSeconds + ", expected 1 or more");
    }
    requireListener();
    Properties settings = new Properties();
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, (int) timeoutMs());
    settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeoutMs());
    settings.putAll(own);
    settings.putAll(clientSettings);
    return settings;
  }

  /** Kafka's client goes on trying where nobody listens; a person should hear at once. */
  private void requireListener() {
    List<InetSocketAddress> addresses;
    try {
      addresses =
          ClientUtils.parseAndValidateAddresses(List.of(bootstrap.split(",")), "use_all_dns_ips");
    } catch (ConfigException notAnAddress) {
      throw CommandException.usage(
          "--bootstrap is \"%s\": %s".formatted(bootstrap, notAnAddress.getMessage()));
    }
    for (InetSocketAddress address : addresses) {
      try (Socket socket = new Socket()) {
        socket.connect(address, CONNECT_TIMEOUT_MS);
        return;
      } catch (IOException tryTheNext) {
        // Said below, if none of them listens.
      }
    }
    throw CommandException.unreachable(
        "nothing listens at %s; start a broker with: tidelog serve, or name another with --bootstrap"
            .formatted(bootstrap));
  }

  /**
   * What to tell a person about a failure.
   *
   * @param what what was not done, as the first half of a sentence
   */
  public CommandException failure(String what, Throwable cause) {
    if (cause instanceof TimeoutException || cause instanceof DisconnectException) {
      return CommandException.unreachable(
          "%s: no answer from %s within %d s (%s)"
              .formatted(what, bootstrap, timeoutSeconds, cause.getMessage()));
    }
    return CommandException.failed(what + ": " + cause.getMessage());
  }
}
