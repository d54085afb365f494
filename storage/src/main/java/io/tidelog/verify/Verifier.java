package io.tidelog.verify;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.ReadOnlyDisk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Checks data directories, or the folders of single partitions, of Tidelog or Kafka, whether
 * stopped or in use. Reads only.
 *
 * <p>What a finding means depends on how the directory was left: after a crash a torn end is as it
 * may be, after a clean stop it is damage. For a partition's folder the data directory around it is
 * asked, if there is one.
 */
public final class Verifier {
  private final Disk disk;
  private final VerifyOptions options;
  private final FindingList findings = new FindingList();
  private final AgreementCheck agreement;
  private final List<PartitionContext> partitions = new ArrayList<>();
  private final Set<Path> folders = new HashSet<>();

  private Verifier(Disk disk, VerifyOptions options) {
    this.disk = new ReadOnlyDisk(disk);
    this.options = options;
    this.agreement = new AgreementCheck(this.disk, findings);
  }

  /** As {@link #verify(Disk, List, VerifyOptions)}, of one directory. */
  public static VerifyReport verify(Disk disk, Path directory, VerifyOptions options)
      throws IOException {
    return verify(disk, List.of(directory), options);
  }

  /**
   * Checks directories, those of one broker together.
   *
   * @param directories data directories or folders of partitions
   * @throws NotALogDirectoryException if one is neither
   * @throws IOException if something cannot be read
   */
  public static VerifyReport verify(Disk disk, List<Path> directories, VerifyOptions options)
      throws IOException {
    Verifier verifier = new Verifier(disk, options);
    for (Path directory : directories) {
      verifier.look(directory);
    }
    return verifier.run();
  }

  private void look(Path directory) throws IOException {
    Optional<TopicPartition> partition = partitionOf(directory);
    if (partition.isPresent()) {
      DirectoryState around = DirectoryState.around(disk, directory);
      if (around.stop() == Stop.RUNNING) {
        findings.add(Finding.of(FindingKind.IN_USE, directory, 0, "a broker that uses it", "none"));
      }
      add(partition.get(), directory, around);
      return;
    }
    if (!DirectoryState.isDataDirectory(disk, directory) && !holdsPartitions(directory)) {
      throw new NotALogDirectoryException(directory);
    }
    agreement.addDirectory(directory);
    DirectoryState state = DirectoryState.read(disk, directory);
    Map<TopicPartition, Path> folders = new DirectoryCheck(disk, directory, state, findings).run();
    for (Map.Entry<TopicPartition, Path> folder : folders.entrySet()) {
      add(folder.getKey(), folder.getValue(), state);
    }
  }

  /** A folder that is named once more, beside the directory that it lies in, is checked once. */
  private void add(TopicPartition partition, Path folder, DirectoryState state) {
    if (!folders.add(folder.toAbsolutePath().normalize())) {
      return;
    }
    try {
      PartitionFiles files = PartitionFiles.list(disk, folder);
      partitions.add(new PartitionContext(disk, partition, files, state, options));
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(folder, unreadable));
    }
  }

  private Optional<TopicPartition> partitionOf(Path directory) throws IOException {
    Path name = directory.toAbsolutePath().normalize().getFileName();
    Optional<PartitionFolder> folder =
        name == null ? Optional.empty() : PartitionFolder.parse(name.toString());
    if (folder.isEmpty() || DirectoryState.isDataDirectory(disk, directory)) {
      return Optional.empty();
    }
    boolean hasLogs =
        disk.list(directory).stream()
            .anyMatch(file -> SegmentFiles.baseOffset(file, SegmentFiles.LOG).isPresent());
    return hasLogs || !holdsPartitions(directory)
        ? folder.map(PartitionFolder::partition)
        : Optional.empty();
  }

  private boolean holdsPartitions(Path directory) throws IOException {
    return disk.list(directory).stream()
        .anyMatch(
            name ->
                PartitionFolder.parse(name).isPresent()
                    && disk.isDirectory(directory.resolve(name)));
  }

  private VerifyReport run() throws IOException {
    agreement.compare(partitions);
    int segments = 0;
    long batches = 0;
    long logBytes = partitions.stream().mapToLong(context -> context.files().logBytes()).sum();
    try (CheckThreads threads = new CheckThreads(options.threads())) {
      Progress progress = new Progress(logBytes, options.listener());
      List<CheckThreads.Result<PartitionResult>> results = new ArrayList<>();
      for (PartitionContext context : partitions) {
        results.add(begin(context, threads, progress));
      }
      for (CheckThreads.Result<PartitionResult> result : results) {
        PartitionResult partition = result.get();
        findings.add(partition.findings());
        segments += partition.segments().size();
        batches += partition.segments().stream().mapToLong(SegmentFacts::batches).sum();
      }
    }
    List<Finding> all = new ArrayList<>(findings.all());
    all.sort(Finding.ORDER);
    return new VerifyReport(all, partitions.size(), segments, batches, logBytes);
  }

  /** What came out of one partition. */
  private record PartitionResult(List<SegmentFacts> segments, FindingList findings) {}

  /** Has its segments checked, each by whichever thread is free, and then the whole of it. */
  private static CheckThreads.Result<PartitionResult> begin(
      PartitionContext context, CheckThreads threads, Progress progress) {
    List<CheckThreads.Result<SegmentFacts>> segments = new ArrayList<>();
    for (long base : context.files().logs()) {
      Callable<SegmentFacts> check = new SegmentCheck(context, base, threads, progress::add)::run;
      segments.add(threads.submit(check));
    }
    return () -> {
      List<SegmentFacts> facts = new ArrayList<>();
      for (CheckThreads.Result<SegmentFacts> segment : segments) {
        facts.add(segment.get());
      }
      return new PartitionResult(facts, new PartitionCheck(context, facts).run());
    };
  }
}
