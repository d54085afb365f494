package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code .kafka_cleanshutdown} of a data directory: while it exists, the logs may be taken
 * as they are. It is written last at a clean stop and removed before anything else is written.
 *
 * <pre>
 *  line  field   meaning
 *     1  object  {"version":0,"brokerEpoch":N}, no line feed at the end
 * </pre>
 */
public final class CleanShutdownMarker {
  public static final String FILE_NAME = ".kafka_cleanshutdown";

  private static final int MAX_BYTES = 4096;
  private static final Pattern BROKER_EPOCH =
      Pattern.compile("\"brokerEpoch\"\\s*:\\s*(-?[0-9]{1,18})\\b");

  private final StateFile file;

  public CleanShutdownMarker(Disk disk, Path dataDirectory) {
    this.file = new StateFile(disk, dataDirectory.resolve(FILE_NAME), MAX_BYTES);
  }

  /** Its existence alone says that the stop was clean, whatever its contents. */
  public boolean exists() {
    return file.exists();
  }

  /**
   * The epoch under which the broker was registered when it stopped; empty if that cannot be read.
   */
  public OptionalLong brokerEpoch() throws IOException {
    try {
      Matcher matcher = BROKER_EPOCH.matcher(StandardCharsets.UTF_8.decode(file.read()).toString());
      return matcher.find()
          ? OptionalLong.of(Long.parseLong(matcher.group(1)))
          : OptionalLong.empty();
    } catch (NoSuchFileException | MalformedFileException e) {
      return OptionalLong.empty();
    }
  }

  /** Writes the marker, durably. */
  public void write(long brokerEpoch) throws IOException {
    file.replace(
        StandardCharsets.UTF_8.encode("{\"version\":0,\"brokerEpoch\":" + brokerEpoch + "}"));
  }

  /** Removes the marker, durably; no error if it is missing. */
  public void remove() throws IOException {
    file.remove();
  }
}
