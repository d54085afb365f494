package io.tidelog.repair;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskLock;
import io.tidelog.log.LogSettings;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.TopicCatalog;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import io.tidelog.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Repairs a data directory that nobody uses: what a check finds becomes steps, and these are done
 * until a check finds nothing that a step can help. First come the logs, then what is made from
 * them.
 */
public final class Repair {
  private static final int MOST_ROUNDS = 8;
  private static final String LOCK = ".lock";
  private static final Set<FindingKind> OF_TOPIC_ID =
      EnumSet.of(
          FindingKind.TOPIC_ID_UNREADABLE,
          FindingKind.TOPIC_ID_MISSING,
          FindingKind.TOPIC_ID_WRONG);

  private final Disk disk;
  private final Path directory;
  private final VerifyOptions options;

  /**
   * @param directory a data directory
   * @param options how it is checked
   */
  public Repair(Disk disk, Path directory, VerifyOptions options) {
    this.disk = disk;
    this.directory = directory;
    this.options = options;
  }

  /**
   * What would be done.
   *
   * @param steps in the order in which they are done; more may follow from them
   * @param beyond what is wrong and no step helps
   */
  public record Plan(List<RepairStep> steps, List<Finding> beyond) {
    public Plan {
      steps = List.copyOf(steps);
      beyond = List.copyOf(beyond);
    }

    /** Whether there is nothing to do and nothing wrong. */
    public boolean isSound() {
      return steps.isEmpty() && beyond.isEmpty();
    }
  }

  /** Looks, and changes nothing. */
  public Plan plan() throws IOException {
    VerifyReport report = Verifier.verify(disk, directory, options);
    Map<TopicPartition, Target> targets = targets();
    Checkpoints checkpoints = Checkpoints.read(disk, directory, targets);
    TopicIdRepair topicIds = new TopicIdRepair(targets.values(), options.topics());
    List<RepairStep> steps = new ArrayList<>();
    for (Target target : targets.values()) {
      List<Finding> own =
          report.findings().stream().filter(finding -> isOf(target, finding)).toList();
      steps.addAll(new PartitionRepair(target, checkpoints, own).steps());
      if (own.stream().anyMatch(finding -> OF_TOPIC_ID.contains(finding.kind()))) {
        topicIds.of(target).ifPresent(steps::add);
      }
    }
    boolean areLogsSound = steps.isEmpty();
    if (areLogsSound) {
      steps.addAll(checkpoints.steps(report.findings()));
    }
    for (Finding finding : report.findings()) {
      if (finding.kind() == FindingKind.LEFTOVER && finding.file().getParent().equals(directory)) {
        steps.add(leftover(finding.file()));
      }
    }
    return new Plan(steps, steps.isEmpty() ? beyond(report) : List.of());
  }

  private RepairStep leftover(Path file) {
    return RepairStep.of(
        RepairStep.Kind.REMOVE_LEFTOVER,
        file,
        "remove it: an interrupted step left it",
        quarantine -> {
          if (disk.exists(file)) { // a step before this one may have removed it
            quarantine.keep(file);
            disk.delete(file);
            disk.syncDirectory(directory);
          }
        });
  }

  private static boolean isOf(Target target, Finding finding) {
    return finding.file().equals(target.folder())
        || target.folder().equals(finding.file().getParent());
  }

  /** Offsets that are gone for good are no reason to call a directory unsound for ever. */
  private static List<Finding> beyond(VerifyReport report) {
    return report.atLeast(Severity.WARNING).stream()
        .filter(finding -> finding.kind() != FindingKind.OFFSETS_MISSING)
        .toList();
  }

  private Map<TopicPartition, Target> targets() throws IOException {
    Map<TopicPartition, Target> targets =
        new TreeMap<>(
            Comparator.comparing(TopicPartition::topic)
                .thenComparingInt(TopicPartition::partition));
    for (String name : disk.list(directory)) {
      Path folder = directory.resolve(name);
      Optional<PartitionFolder> parsed =
          disk.isDirectory(folder) ? PartitionFolder.parse(name) : Optional.empty();
      if (parsed.isPresent() && parsed.get().state() == PartitionFolder.State.LIVE) {
        TopicPartition partition = parsed.get().partition();
        targets.put(partition, new Target(disk, partition, folder, intervalOf(partition)));
      }
    }
    return targets;
  }

  private int intervalOf(TopicPartition partition) {
    return options
        .topics()
        .flatMap(topics -> topics.find(partition.topic()))
        .map(TopicCatalog.TopicFacts::indexIntervalBytes)
        .orElse(LogSettings.DEFAULTS.indexIntervalBytes());
  }

  /**
   * Does what a plan says, and what follows from it, and looks again.
   *
   * @param quarantine the folder that gets a folder with the copies of this run
   * @param listener told of each step before it is done
   * @return what is left: sound, or beyond help
   * @throws io.tidelog.disk.DiskLockedException if somebody uses the directory
   */
  public Plan apply(Path quarantine, Consumer<RepairStep> listener) throws IOException {
    Plan plan = plan();
    Quarantine kept = Quarantine.next(disk, directory, quarantine);
    for (int round = 0; round < MOST_ROUNDS && !plan.steps.isEmpty(); round++) {
      DiskLock lock = disk.lock(directory.resolve(LOCK));
      try (lock) {
        for (RepairStep step : plan.steps) {
          listener.accept(step);
          step.work().run(kept);
        }
      }
      plan = plan();
    }
    return plan;
  }
}
