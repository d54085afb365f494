package io.tidelog.cli.explain;

import io.tidelog.cli.client.TopicAdmin;
import io.tidelog.cli.terminal.CommandException;
import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.topic.SavedConfigs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Where the settings of a topic come from: options of the commands that go by them. */
final class SettingOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "With --dir: the server.properties that the broker is started with, for the settings"
              + " that stand there.")
  private Path serverProperties;

  @Option(
      names = "--setting",
      paramLabel = "NAME=VALUE",
      description = "Explain as if the topic had this setting. May be repeated.")
  private Map<String, String> whatIf = new LinkedHashMap<>();

  /**
   * What holds for a topic.
   *
   * @param settings the engine's settings
   * @param areAssumed whether nobody knows what the topic itself has set, so that defaults stand in
   */
  record Known(LogSettings settings, boolean areAssumed) {}

  /** The settings of the topic of a partition. */
  Known of(Where where, Disk disk) throws IOException {
    for (String name : whatIf.keySet()) {
      if (!LogSettings.NAMES.containsKey(name)) {
        throw CommandException.usage("--setting names " + name + ", which no topic has");
      }
    }
    try {
      return where.isDirectory() ? saved(where, disk) : ofBroker(where);
    } catch (IllegalArgumentException wrong) {
      throw CommandException.usage(wrong.getMessage());
    }
  }

  private Known ofBroker(Where where) {
    try (TopicAdmin admin = TopicAdmin.open(where.broker())) {
      Map<String, String> values =
          new RunningBroker(admin, where.broker()).settingsOf(where.partition().topic());
      values.keySet().retainAll(LogSettings.NAMES.keySet());
      values.putAll(whatIf);
      return new Known(LogSettings.of(values), false);
    }
  }

  private Known saved(Where where, Disk disk) throws IOException {
    Map<String, String> server = serverSettings();
    Optional<SavedConfigs> saved = SavedConfigs.read(disk, where.dataDirectory());
    if (saved.isEmpty() && metadataDirectory(server).isPresent()) {
      saved = SavedConfigs.read(disk, metadataDirectory(server).get());
    }
    LogSettings settings =
        saved.orElseGet(SavedConfigs::none).of(where.partition().topic(), server, whatIf);
    return new Known(settings, saved.isEmpty());
  }

  /** The metadata log may lie in another directory than the partition. */
  private static Optional<Path> metadataDirectory(Map<String, String> server) {
    return Optional.ofNullable(
            server.getOrDefault(
                "metadata.log.dir", server.getOrDefault("log.dirs", server.get("log.dir"))))
        .map(directories -> Path.of(directories.split(",")[0].strip()));
  }

  private Map<String, String> serverSettings() throws IOException {
    Map<String, String> settings = new TreeMap<>();
    if (serverProperties != null) {
      Properties properties = new Properties();
      try (var in = Files.newBufferedReader(serverProperties, StandardCharsets.UTF_8)) {
        properties.load(in);
      } catch (NoSuchFileException missing) {
        throw CommandException.unreachable(serverProperties + " does not exist");
      }
      properties.stringPropertyNames().forEach(n -> settings.put(n, properties.getProperty(n)));
    }
    return settings;
  }
}
