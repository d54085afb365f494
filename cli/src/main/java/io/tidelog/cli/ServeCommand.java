package io.tidelog.cli;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import io.tidelog.broker.BrokerStartException;
import io.tidelog.broker.InvalidSettingException;
import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.StopRequest;
import io.tidelog.cli.terminal.Streams;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidelog serve}: a broker in the foreground. */
@Command(
    name = "serve",
    description = {
      "Run a broker until SIGTERM or SIGINT (Ctrl-C), which stop it cleanly. One line on standard"
          + " output says when clients are served.",
      ""
    })
public final class ServeCommand implements Callable<Integer> {
  private final Streams streams;
  private final StopRequest stop;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory, as the setting log.dirs (default: data).")
  private String data;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = {
        "Where to listen, as the setting listeners (default: 127.0.0.1:9092, for this machine"
            + " only). Port 0 is any that is free."
      })
  private String listen;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings in a file, under the names of Kafka's server.properties.")
  private Path config;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "One setting, which goes over all others. May be repeated.")
  private Map<String, String> set = new LinkedHashMap<>();

  ServeCommand(Streams streams, StopRequest stop) {
    this.streams = streams;
    this.stop = stop;
  }

  @Override
  public Integer call() {
    CountDownLatch asked = new CountDownLatch(1);
    stop.whenAsked(asked::countDown);
    BrokerSettings settings = settings();
    try (Broker broker = Broker.start(settings)) {
      streams.out().println(ready(broker, settings));
      streams.out().flush();
      asked.await();
    } catch (BrokerStartException e) {
      throw CommandException.unreachable(e.getMessage());
    } catch (IOException e) {
      throw CommandException.failed("the stop was not clean: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK;
  }

  private static String ready(Broker broker, BrokerSettings settings) {
    return "Tidelog is ready at %s, data in %s"
        .formatted(
            broker.addresses().stream()
                .map(ServeCommand::hostAndPort)
                .collect(Collectors.joining(", ")),
            settings.dataDirectories().stream()
                .map(Path::toString)
                .collect(Collectors.joining(", ")));
  }

  private static String hostAndPort(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private BrokerSettings settings() {
    Map<String, String> values = new LinkedHashMap<>();
    if (config != null) {
      Properties file = read(config);
      file.stringPropertyNames().forEach(name -> values.put(name, file.getProperty(name)));
    }
    if (data != null) {
      values.put("log.dirs", data);
    }
    if (listen != null) {
      values.put("listeners", "PLAINTEXT://" + listen);
    }
    values.putAll(set);
    try {
      return BrokerSettings.of(values);
    } catch (InvalidSettingException e) {
      throw CommandException.usage(e.getMessage());
    }
  }

  private static Properties read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw CommandException.unreachable(file + " does not exist");
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(file + " is no properties file: " + e.getMessage());
    } catch (IOException e) {
      throw CommandException.unreachable(file + " cannot be read: " + e.getMessage());
    }
    return properties;
  }
}
