package io.tidelog.cli;

import io.tidelog.cli.terminal.StopRequest;
import io.tidelog.cli.terminal.Streams;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidelog serve}: what may stand on the command line. */
@Command(
    name = "serve",
    description = {
      "Run a broker until SIGTERM or SIGINT (Ctrl-C), which stop it cleanly. One line on standard"
          + " output says when clients are served.",
      ""
    })
final class ServeCommand implements Callable<Integer> {
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
  private String config;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "One setting, which goes over all others. May be repeated.")
  private Map<String, String> set = new LinkedHashMap<>();

  ServeCommand(Streams streams, StopRequest stop) {
    this.streams = streams;
    this.stop = stop;
  }

  ServeOptions options() {
    return new ServeOptions(data, listen, config, set);
  }

  @Override
  public Integer call() {
    return new Serving(streams, stop).run(options());
  }
}
