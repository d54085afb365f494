package io.tidelog.repair;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.TopicCatalog;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks a directory and makes steps of what is found. */
final class Planner {
  private static final Set<FindingKind> OF_TOPIC_ID =
      EnumSet.of(
          FindingKind.TOPIC_ID_UNREADABLE,
          FindingKind.TOPIC_ID_MISSING,
          FindingKind.TOPIC_ID_WRONG);

  private final Disk disk;
  private final Path directory;
  private final VerifyOptions options;

  Planner(Disk disk, Path directory, VerifyOptions options) {
    this.disk = disk;
    this.directory = directory;
    this.options = options;
  }

  Repair.Plan plan() throws IOException {
    List<Finding> unknown = UnreadableFiles.checkpointsIn(disk, directory);
    if (!unknown.isEmpty()) {
      return new Repair.Plan(List.of(), unknown);
    }
    Map<TopicPartition, Target> targets = targets();
    List<Finding> findings;
    try {
      findings = new ArrayList<>(Verifier.verify(disk, directory, options).findings());
    } catch (IOException unreadable) {
      return new Repair.Plan(List.of(), filesBehind(unreadable, targets.values()));
    }
    List<Finding> beyond = new ArrayList<>();
    Set<TopicPartition> readable = new TreeSet<>(targets.keySet());
    for (Target target : targets.values()) {
      List<Finding> unreadable = UnreadableFiles.in(target, findings);
      if (!unreadable.isEmpty()) {
        beyond.addAll(unreadable);
        readable.remove(target.partition());
        findings.removeIf(finding -> isOf(target, finding)); // they follow from it, or may
      }
    }
    List<RepairStep> steps = new ArrayList<>();
    Checkpoints checkpoints = Checkpoints.read(disk, directory, targets, readable);
    TopicIdRepair topicIds = new TopicIdRepair(targets.values(), options.topics());
    for (TopicPartition partition : readable) {
      Target target = targets.get(partition);
      List<Finding> own = findings.stream().filter(finding -> isOf(target, finding)).toList();
      steps.addAll(new PartitionRepair(target, checkpoints, own).steps());
      if (own.stream().anyMatch(finding -> OF_TOPIC_ID.contains(finding.kind()))) {
        topicIds.of(target).ifPresent(steps::add);
      }
    }
    boolean areLogsSound = steps.isEmpty();
    if (areLogsSound) {
      steps.addAll(checkpoints.steps(findings));
    }
    for (Finding finding : findings) {
      if (finding.kind() == FindingKind.LEFTOVER
          && directory.equals(finding.file().getParent())
          && !disk.isDirectory(finding.file())) {
        steps.add(leftover(finding.file()));
      }
    }
    findings.stream()
        .filter(finding -> finding.severity().compareTo(Severity.WARNING) >= 0)
        .forEach(beyond::add);
    return new Repair.Plan(steps, steps.isEmpty() ? beyond : List.of());
  }

  /** Which files stop a check. */
  private static List<Finding> filesBehind(IOException unreadable, Collection<Target> targets)
      throws IOException {
    List<Finding> files = new ArrayList<>();
    for (Target target : targets) {
      files.addAll(UnreadableFiles.in(target, List.of()));
    }
    if (files.isEmpty()) {
      throw unreadable;
    }
    return files;
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

  private Map<TopicPartition, Target> targets() throws IOException {
    Map<TopicPartition, Target> targets = new TreeMap<>();
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
}
