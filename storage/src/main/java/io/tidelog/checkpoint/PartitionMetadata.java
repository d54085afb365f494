package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose partition a folder is, in its {@code partition.metadata}: a topic that was deleted and made
 * again under the same name has another id.
 *
 * <pre>
 *  line  field     meaning
 *     1  version   "version: 0"
 *     2  topic_id  "topic_id: " and 22 characters of URL-safe base64; no line feed at the end
 * </pre>
 */
public final class PartitionMetadata {
  public static final String FILE_NAME = "partition.metadata";

  private static final int MAX_BYTES = 4096;
  private static final Pattern VERSION = Pattern.compile("version:\\s+0");
  private static final Pattern TOPIC_ID = Pattern.compile("topic_id:\\s+(\\S+)");

  private final StateFile file;

  public PartitionMetadata(Disk disk, Path partitionDirectory) {
    this.file = new StateFile(disk, partitionDirectory.resolve(FILE_NAME), MAX_BYTES);
  }

  /**
   * The topic's id; empty if the file is missing.
   *
   * @throws MalformedFileException if the file breaks its format
   */
  public Optional<TopicId> read() throws IOException {
    List<String> lines;
    try {
      lines = StandardCharsets.UTF_8.decode(file.read()).toString().lines().toList();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    field(lines, 1, VERSION, "version: 0");
    return Optional.of(topicId(field(lines, 2, TOPIC_ID, "topic_id: and an id").group(1)));
  }

  private TopicId topicId(String text) throws MalformedFileException {
    TopicId id = TopicId.ZERO;
    try {
      id = TopicId.parse(text);
    } catch (IllegalArgumentException e) {
      // reported below, as an id of zero is
    }
    if (id.equals(TopicId.ZERO)) {
      throw malformed(2, text, "22 characters of URL-safe base64, not all zero");
    }
    return id;
  }

  private Matcher field(List<String> lines, int line, Pattern pattern, String expected)
      throws MalformedFileException {
    String found = lines.size() < line ? "" : lines.get(line - 1);
    Matcher matcher = pattern.matcher(found);
    if (!matcher.matches()) {
      throw malformed(line, found, expected);
    }
    return matcher;
  }

  private MalformedFileException malformed(int line, String found, String expected) {
    return new MalformedFileException(
        file.path(),
        line,
        found,
        expected,
        "Restore it; without it nobody can tell which topic the folder belongs to.");
  }

  /** Replaces the file, durably. */
  public void write(TopicId topicId) throws IOException {
    file.replace(StandardCharsets.UTF_8.encode("version: 0\ntopic_id: " + topicId));
  }
}
