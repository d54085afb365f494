package io.tidelog.explain;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.PartitionMetadata;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file of a data directory is, by its name. What stands after the suffix of a segment's file
 * is passed over: {@code .deleted}, {@code .cleaned}, {@code .swap}, {@code .<position>.cut}.
 */
public enum FileKind {
  LOG("record batches"),
  METADATA_SNAPSHOT("snapshot of the metadata, in record batches"),
  OFFSET_INDEX("offset index"),
  TIME_INDEX("time index"),
  TXN_INDEX("aborted transactions"),
  PRODUCER_SNAPSHOT("producer snapshot"),
  LEADER_EPOCHS("leader epochs"),
  PARTITION_METADATA("topic id"),
  OFFSETS("one offset for each partition"),
  META_PROPERTIES("whose directory this is"),
  CLEAN_STOP("mark of a clean stop"),
  OTHER("text of no known format");

  private static final Pattern SEGMENT_FILE =
      Pattern.compile(
          "([0-9]{20})(?:-[0-9]{10})?"
              + "(\\.log|\\.index|\\.timeindex|\\.txnindex|\\.snapshot|\\.checkpoint)(?:\\..*)?");

  private final String meaning;

  FileKind(String meaning) {
    this.meaning = meaning;
  }

  /** In words. */
  public String meaning() {
    return meaning;
  }

  static FileKind of(Path file) {
    String name = file.getFileName().toString();
    Matcher segment = SEGMENT_FILE.matcher(name);
    return segment.matches() ? ofSuffix(segment.group(2)) : ofName(name);
  }

  private static FileKind ofSuffix(String suffix) {
    return switch (suffix) {
      case ".log" -> LOG;
      case ".index" -> OFFSET_INDEX;
      case ".timeindex" -> TIME_INDEX;
      case ".txnindex" -> TXN_INDEX;
      case ".snapshot" -> PRODUCER_SNAPSHOT;
      default -> METADATA_SNAPSHOT;
    };
  }

  private static FileKind ofName(String name) {
    boolean isOffsets =
        Arrays.stream(OffsetCheckpoint.Kind.values())
            .anyMatch(kind -> kind.fileName().equals(name));
    return switch (name) {
      case LeaderEpochCheckpoint.FILE_NAME -> LEADER_EPOCHS;
      case PartitionMetadata.FILE_NAME -> PARTITION_METADATA;
      case MetaProperties.FILE_NAME -> META_PROPERTIES;
      case CleanShutdownMarker.FILE_NAME -> CLEAN_STOP;
      default -> isOffsets ? OFFSETS : OTHER;
    };
  }

  /** The base offset that the name of a segment's file gives; 0 if it gives none. */
  static long baseOffset(Path file) {
    Matcher segment = SEGMENT_FILE.matcher(file.getFileName().toString());
    try {
      return segment.matches() ? Long.parseLong(segment.group(1)) : 0;
    } catch (NumberFormatException tooLarge) {
      return 0;
    }
  }
}
