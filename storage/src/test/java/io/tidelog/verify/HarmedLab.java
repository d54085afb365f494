package io.tidelog.verify;

import static io.tidelog.verify.SoundDirectoriesAreSoundTest.batches;

import io.tidelog.disk.Disk;
import io.tidelog.log.AppendSource;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A cleanly stopped directory with one partition of several segments, to do harm to. */
final class HarmedLab {
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "16384", "index.interval.bytes", "1024");

  final Disk disk;
  final Path data;
  final Path folder;
  final Damage damage;
  final List<FullScan.Batch> written;
  final List<Path> logs;

  HarmedLab(Disk disk, Path data) throws IOException {
    this.disk = disk;
    this.data = data;
    this.folder = data.resolve("orders-0");
    this.damage = new Damage(disk);
    disk.createDirectories(data);
    try (Lab lab = Lab.open(disk, data, SETTINGS)) {
      for (ByteBuffer batch : batches(1, 200)) {
        lab.orders().append(batch, 4, AppendSource.CLIENT);
      }
    }
    this.written = FullScan.of(disk, folder).batches();
    this.logs = written.stream().map(FullScan.Batch::file).distinct().toList();
  }

  /** The batches of a log. */
  List<FullScan.Batch> in(Path log) {
    return written.stream().filter(batch -> batch.file().equals(log)).toList();
  }

  /** The first offset of a log. */
  long baseOffset(Path log) {
    return in(log).get(0).header().baseOffset();
  }

  static Path beside(Path log, String suffix) {
    return Path.of(log.toString().replace(".log", suffix));
  }

  /** What a check finds that is worse than a note. */
  List<Finding> findings() throws IOException {
    return Verifier.verify(disk, data, VerifyOptions.batches()).atLeast(Severity.WARNING);
  }

  /** Gives a checkpoint of the directory one line. */
  void writeCheckpoint(String name, long offset) throws IOException {
    Path file = data.resolve(name);
    if (disk.exists(file)) {
      disk.delete(file);
    }
    disk.create(file).close();
    damage.append(file, "0\n1\norders 0 %d\n".formatted(offset).getBytes(StandardCharsets.UTF_8));
  }
}
