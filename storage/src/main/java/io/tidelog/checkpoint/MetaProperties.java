package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who owns a data directory, in its {@code meta.properties}; Java properties, read in any order,
 * written sorted and without the comment that holds the date.
 *
 * <pre>
 *  key           meaning
 *  version       1
 *  cluster.id    usually 22 characters of URL-safe base64
 *  node.id       the broker's number, from 0
 *  directory.id  22 characters of URL-safe base64; optional
 *  any other     kept as it is
 * </pre>
 *
 * @param clusterId the cluster that the directory belongs to
 * @param nodeId the broker that the directory belongs to
 * @param directoryId the directory's own id
 * @param others keys that this version does not know
 */
public record MetaProperties(
    String clusterId, int nodeId, Optional<TopicId> directoryId, Map<String, String> others) {
  public static final String FILE_NAME = "meta.properties";

  private static final int MAX_BYTES = 1 << 20;
  private static final String VERSION = "version";
  private static final String CLUSTER_ID = "cluster.id";
  private static final String NODE_ID = "node.id";
  private static final String DIRECTORY_ID = "directory.id";

  public MetaProperties {
    others = Map.copyOf(others);
  }

  /**
   * The file of this directory; empty if it is missing.
   *
   * @throws MalformedFileException if the file breaks its format
   */
  public static Optional<MetaProperties> read(Disk disk, Path dataDirectory) throws IOException {
    StateFile file = new StateFile(disk, dataDirectory.resolve(FILE_NAME), MAX_BYTES);
    try {
      return Optional.of(new Parser(file.path(), file.read()).parse());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Replaces the file of this directory, durably. */
  public void write(Disk disk, Path dataDirectory) throws IOException {
    Properties properties = new Properties();
    properties.putAll(others);
    properties.setProperty(VERSION, "1");
    properties.setProperty(CLUSTER_ID, clusterId);
    properties.setProperty(NODE_ID, Integer.toString(nodeId));
    directoryId.ifPresent(id -> properties.setProperty(DIRECTORY_ID, id.toString()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    properties.store(bytes, null);
    String withoutDate =
        bytes
            .toString(StandardCharsets.ISO_8859_1)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));
    new StateFile(disk, dataDirectory.resolve(FILE_NAME), MAX_BYTES)
        .replace(StandardCharsets.UTF_8.encode(withoutDate));
  }

  private static final class Parser {
    private final Path file;
    private final String text;
    private final Map<String, String> left = new TreeMap<>();

    Parser(Path file, ByteBuffer contents) throws IOException {
      this.file = file;
      this.text = StandardCharsets.ISO_8859_1.decode(contents).toString();
      Properties properties = new Properties();
      try {
        properties.load(new StringReader(text));
      } catch (IllegalArgumentException e) {
        throw malformed("\\u", text, "Java properties");
      }
      properties.stringPropertyNames().forEach(key -> left.put(key, properties.getProperty(key)));
    }

    MetaProperties parse() throws IOException {
      String version = take(VERSION, "1");
      if (!version.trim().equals("1")) {
        throw malformed(VERSION, version, "version 1");
      }
      return new MetaProperties(
          take(CLUSTER_ID, "the cluster's id"), nodeId(), directoryId(), left);
    }

    private int nodeId() throws IOException {
      String found = take(NODE_ID, "the broker's number");
      try {
        return CheckpointLines.number(found);
      } catch (IllegalArgumentException e) {
        throw malformed(NODE_ID, found, "a number from 0");
      }
    }

    private Optional<TopicId> directoryId() throws IOException {
      String found = left.remove(DIRECTORY_ID);
      try {
        return Optional.ofNullable(found).map(TopicId::parse);
      } catch (IllegalArgumentException e) {
        throw malformed(DIRECTORY_ID, found, "22 characters of URL-safe base64");
      }
    }

    private String take(String key, String expected) throws IOException {
      String value = left.remove(key);
      if (value == null) {
        throw malformed(key, "no " + key, key + "=" + expected);
      }
      return value;
    }

    /** Names the line on which the key stands, or the one after the last. */
    private MalformedFileException malformed(String key, String found, String expected) {
      int at = text.indexOf(key);
      int line = 1 + (int) text.substring(0, at < 0 ? text.length() : at).lines().count();
      return new MalformedFileException(
          file,
          at > 0 && text.charAt(at - 1) != '\n' ? line - 1 : line,
          found,
          expected,
          "Restore it; without it nobody can tell whose directory this is.");
    }
  }
}
