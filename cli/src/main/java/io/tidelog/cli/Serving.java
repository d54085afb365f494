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
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;

/** Runs a broker in the foreground until it is asked to stop. */
final class Serving {
  private final Streams streams;
  private final StopRequest stop;

  Serving(Streams streams, StopRequest stop) {
    this.streams = streams;
    this.stop = stop;
  }

  /**
   * Serves.
   *
   * @return the exit code of a clean stop
   * @throws CommandException if the broker cannot start, or not stop cleanly
   */
  int run(ServeOptions options) {
    CountDownLatch asked = new CountDownLatch(1);
    stop.whenAsked(asked::countDown);
    BrokerSettings settings = settings(options);
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
    StringJoiner addresses = new StringJoiner(", ");
    broker.addresses().forEach(address -> addresses.add(hostAndPort(address)));
    StringJoiner directories = new StringJoiner(", ");
    settings.dataDirectories().forEach(directory -> directories.add(directory.toString()));
    return "Tidelog is ready at " + addresses + ", data in " + directories;
  }

  private static String hostAndPort(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  private static BrokerSettings settings(ServeOptions options) {
    Map<String, String> values = new LinkedHashMap<>();
    if (options.config() != null) {
      Properties file = read(Path.of(options.config()));
      file.stringPropertyNames().forEach(name -> values.put(name, file.getProperty(name)));
    }
    if (options.data() != null) {
      values.put("log.dirs", options.data());
    }
    if (options.listen() != null) {
      values.put("listeners", "PLAINTEXT://" + options.listen());
    }
    values.putAll(options.set());
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
