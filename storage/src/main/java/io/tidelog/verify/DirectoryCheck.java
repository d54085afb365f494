package io.tidelog.verify;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Checks what lies in a data directory beside the partitions, and finds these. */
final class DirectoryCheck {
  private static final Set<String> NAMES =
      Set.of(MetaProperties.FILE_NAME, CleanShutdownMarker.FILE_NAME, ".lock");

  /** What Kafka's tool prepared for its first start, and what only Kafka can decode. */
  private static final String BOOTSTRAP = "bootstrap.checkpoint";

  private static final String SHARE_GROUPS = "__share_group_state";
  private static final int LEAST_BYTES = "0\n0\n".length();
  private static final String TEMPORARY_SUFFIX = ".tmp";

  private final Disk disk;
  private final Path directory;
  private final DirectoryState state;
  private final FindingList findings;
  private final Map<TopicPartition, Path> folders = new TreeMap<>();

  DirectoryCheck(Disk disk, Path directory, DirectoryState state, FindingList findings) {
    this.disk = disk;
    this.directory = directory;
    this.state = state;
    this.findings = findings;
  }

  /** The folders of partitions in service. */
  Map<TopicPartition, Path> run() throws IOException {
    if (state.stop() == Stop.RUNNING) {
      tell(FindingKind.IN_USE, directory.resolve(".lock"), "a lock that somebody holds", "none");
    }
    for (String name : disk.list(directory)) {
      look(name);
    }
    checkIdentity();
    checkMarker();
    for (Kind kind : Kind.values()) {
      checkOffsets(kind);
    }
    return folders;
  }

  private void look(String name) {
    Path path = directory.resolve(name);
    Optional<PartitionFolder> folder =
        disk.isDirectory(path) ? PartitionFolder.parse(name) : Optional.empty();
    if (folder.isPresent()) {
      lookAt(folder.get(), path);
    } else if (name.equals(BOOTSTRAP)) {
      tell(FindingKind.NOT_CHECKED, path, "metadata for Kafka's first start", "any");
    } else if (name.endsWith(TEMPORARY_SUFFIX)) {
      tell(FindingKind.LEFTOVER, path, "a file of an unfinished step", "none after it");
    } else if (!NAMES.contains(name)
        && Arrays.stream(Kind.values()).noneMatch(kind -> kind.fileName().equals(name))) {
      tell(FindingKind.NAME_UNKNOWN, path, "a name of nothing that a broker writes", "none");
    }
  }

  private void lookAt(PartitionFolder folder, Path path) {
    if (folder.state() == PartitionFolder.State.LIVE) {
      folders.put(folder.partition(), path);
      if (folder.partition().topic().equals(SHARE_GROUPS)) {
        tell(FindingKind.NOT_CHECKED, path, "records in a format of Kafka's alone", "any");
      }
    } else {
      tell(FindingKind.FOLDER_ASIDE, path, "a folder that was put aside", "none for long");
    }
  }

  private void checkIdentity() {
    try {
      if (MetaProperties.read(disk, directory).isEmpty() && isBrokers()) {
        tell(
            FindingKind.IDENTITY_MISSING,
            directory.resolve(MetaProperties.FILE_NAME),
            "no such file",
            "the cluster's and the broker's ids");
      }
    } catch (MalformedFileException damage) {
      findings.add(Malformed.finding(FindingKind.IDENTITY_UNREADABLE, damage));
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(directory.resolve(MetaProperties.FILE_NAME), unreadable));
    }
  }

  /** The engine alone, as a library, needs no identity. */
  private boolean isBrokers() {
    return folders.keySet().stream()
        .anyMatch(partition -> partition.topic().equals(PartitionContext.METADATA_TOPIC));
  }

  private void checkMarker() {
    CleanShutdownMarker marker = new CleanShutdownMarker(disk, directory);
    Path file = directory.resolve(CleanShutdownMarker.FILE_NAME);
    try {
      if (marker.exists() && marker.brokerEpoch().isEmpty()) {
        tell(
            FindingKind.MARKER_ODD,
            file,
            "no broker epoch that can be read",
            "{\"version\":0,\"brokerEpoch\":N}");
      }
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(file, unreadable));
    }
  }

  private void checkOffsets(Kind kind) {
    OffsetCheckpoint checkpoint = new OffsetCheckpoint(disk, directory, kind);
    Map<TopicPartition, Long> offsets;
    try {
      offsets = checkpoint.read();
      if (state.stop() == Stop.CLEAN && isWrittenAtStop(kind)) {
        checkpoint.requireWritten();
        requireWhole(kind);
      }
    } catch (MalformedFileException damage) {
      findings.add(Malformed.finding(unreadable(kind), damage));
      return;
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(directory.resolve(kind.fileName()), unreadable));
      return;
    }
    if (state.stop() != Stop.RUNNING) {
      compareNames(kind, offsets);
    }
  }

  /** One that was cut after its version reads as if there were no offsets. */
  private void requireWhole(Kind kind) throws IOException {
    Path file = directory.resolve(kind.fileName());
    if (disk.exists(file) && disk.sizeBytes(file) < LEAST_BYTES) {
      findings.add(
          Finding.of(
              unreadable(kind),
              file,
              0,
              disk.sizeBytes(file) + " bytes",
              "version, count and a line for each partition"));
    }
  }

  private static boolean isWrittenAtStop(Kind kind) {
    return kind != Kind.CLEANER;
  }

  private static FindingKind unreadable(Kind kind) {
    return switch (kind) {
      case RECOVERY_POINT -> FindingKind.RECOVERY_POINTS_UNREADABLE;
      case LOG_START -> FindingKind.STARTS_UNREADABLE;
      case HIGH_WATERMARK, CLEANER -> FindingKind.CHECKPOINT_UNREADABLE;
    };
  }

  private void compareNames(Kind kind, Map<TopicPartition, Long> offsets) {
    Path file = directory.resolve(kind.fileName());
    Set<TopicPartition> strays = new HashSet<>(offsets.keySet());
    strays.removeAll(folders.keySet());
    boolean isTelling = state.stop() == Stop.CLEAN && isWrittenAtStop(kind);
    for (TopicPartition stray : strays) {
      tell(
          isTelling ? FindingKind.CHECKPOINT_MISNAMED : FindingKind.CHECKPOINT_STRAY,
          file,
          "a line for " + stray,
          "a folder of that name");
    }
    if (state.stop() == Stop.CLEAN && kind == Kind.RECOVERY_POINT && disk.exists(file)) {
      folders.keySet().stream()
          .filter(partition -> !offsets.containsKey(partition))
          .filter(partition -> !partition.topic().equals(PartitionContext.METADATA_TOPIC))
          .forEach(
              partition ->
                  tell(FindingKind.CHECKPOINT_LACKS, file, "no line for " + partition, "one"));
    }
  }

  private void tell(FindingKind kind, Path path, String found, String expected) {
    findings.add(Finding.of(kind, path, 0, found, expected));
  }
}
