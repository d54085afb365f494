package io.tidelog.repair;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Files of a partition that cannot be read. What follows from them is not known: what else lies in
 * the folder may be right though it seems to contradict the rest, so nothing there may be changed.
 */
final class UnreadableFiles {
  private static final Set<FindingKind> KINDS =
      EnumSet.of(FindingKind.UNREADABLE, FindingKind.LOG_TOO_LARGE);

  private UnreadableFiles() {}

  /**
   * Those that the first byte tells, and those that a check has found.
   *
   * @param findings of the whole directory
   */
  static List<Finding> in(Target target, List<Finding> findings) throws IOException {
    List<Finding> unreadable = new ArrayList<>();
    for (String name : target.disk().list(target.folder())) {
      problemWith(target.disk(), target.folder().resolve(name)).ifPresent(unreadable::add);
    }
    findings.stream()
        .filter(finding -> KINDS.contains(finding.kind()))
        .filter(finding -> target.folder().equals(finding.file().getParent()))
        .filter(finding -> unreadable.stream().noneMatch(own -> own.file().equals(finding.file())))
        .forEach(unreadable::add);
    return unreadable;
  }

  /** The files beside the partitions that say where logs begin and end. */
  static List<Finding> checkpointsIn(Disk disk, Path directory) {
    List<Finding> unreadable = new ArrayList<>();
    for (OffsetCheckpoint.Kind kind : OffsetCheckpoint.Kind.values()) {
      Path file = directory.resolve(kind.fileName());
      if (disk.exists(file)) {
        (disk.isDirectory(file)
                ? Optional.of(finding(file, "a directory"))
                : problemWith(disk, file))
            .ifPresent(unreadable::add);
      }
    }
    return unreadable;
  }

  private static Optional<Finding> problemWith(Disk disk, Path file) {
    if (disk.isDirectory(file)) {
      return Target.isNameOfFile(file)
          ? Optional.of(finding(file, "a directory"))
          : Optional.empty();
    }
    try (DiskFile opened = disk.openReadOnly(file)) {
      opened.read(ByteBuffer.allocate(1), 0);
      return Optional.empty();
    } catch (IOException unreadable) {
      return Optional.of(finding(file, unreadable.toString()));
    }
  }

  private static Finding finding(Path file, String found) {
    return new Finding(
        FindingKind.UNREADABLE,
        file,
        0,
        Optional.empty(),
        found,
        "a file to read; what lies beside it is left as it is");
  }
}
