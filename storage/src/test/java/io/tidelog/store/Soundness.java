package io.tidelog.store;

import io.tidelog.disk.Disk;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Data directories in which {@code tidelog verify} finds nothing. */
public final class Soundness {
  private Soundness() {}

  /**
   * Throws if the deep check finds more than notes.
   *
   * @param known kinds of findings that are known and told elsewhere
   */
  public static void require(Disk disk, List<Path> directories, FindingKind... known)
      throws IOException {
    List<Path> used = new ArrayList<>();
    for (Path directory : directories) {
      if (holdsFolders(disk, directory)) {
        used.add(directory);
      }
    }
    List<Finding> findings =
        Verifier.verify(disk, used, VerifyOptions.deep().withThreads(1))
            .atLeast(Severity.WARNING)
            .stream()
            .filter(finding -> !List.of(known).contains(finding.kind()))
            .toList();
    if (!findings.isEmpty()) {
      throw new AssertionError(
          findings.stream()
              .map(finding -> finding.kind() + " " + finding)
              .collect(Collectors.joining("\n", "verify finds:\n", "")));
    }
  }

  /** A directory in which nobody has put a partition yet is none that can be checked. */
  private static boolean holdsFolders(Disk disk, Path directory) throws IOException {
    for (String name : disk.list(directory)) {
      if (disk.isDirectory(directory.resolve(name))) {
        return true;
      }
    }
    return false;
  }
}
