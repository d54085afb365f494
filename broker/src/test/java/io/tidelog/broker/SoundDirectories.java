package io.tidelog.broker;

import io.tidelog.coordinator.StateRecordCheck;
import io.tidelog.disk.Disk;
import io.tidelog.topic.MetadataRecordCheck;
import io.tidelog.topic.SavedConfigs;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Data directories of a stopped broker in which {@code tidelog verify --deep} finds nothing. */
final class SoundDirectories {
  private SoundDirectories() {}

  /**
   * Throws if it finds more than notes.
   *
   * @param known kinds of findings that are known and told elsewhere
   */
  static void require(Disk disk, List<Path> directories, FindingKind... known) throws IOException {
    List<Finding> findings =
        Verifier.verify(disk, directories, options(disk, directories))
            .atLeast(Severity.WARNING)
            .stream()
            .filter(finding -> !List.of(known).contains(finding.kind()))
            .toList();
    if (!findings.isEmpty()) {
      throw new AssertionError(
          findings.stream()
              .map(finding -> finding.kind() + " " + finding)
              .collect(Collectors.joining("\n", "verify finds in what the broker left:\n", "")));
    }
  }

  private static VerifyOptions options(Disk disk, List<Path> directories) throws IOException {
    VerifyOptions options =
        VerifyOptions.deep()
            .withThreads(1)
            .withRecords(
                topic -> MetadataRecordCheck.of(topic).or(() -> StateRecordCheck.of(topic)));
    for (Path directory : directories) {
      SavedConfigs saved = SavedConfigs.read(disk, directory).orElse(null);
      if (saved != null) {
        return options.withTopics(saved.catalog());
      }
    }
    return options;
  }
}
