package io.tidelog.store;

import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A store with two data directories, for tests that move a partition from one to the other. */
final class TwoDirectories implements AutoCloseable {
  static final Path FIRST = Path.of("/first");
  static final Path SECOND = Path.of("/second");

  final SimClock clock = new SimClock();
  final ManualScheduler scheduler = new ManualScheduler(clock);
  final List<String> events = new ArrayList<>();
  final LogStore store;
  private final Disk disk;
  private final LogSettings settings;

  private TwoDirectories(Disk disk, LogSettings settings) throws IOException {
    this.disk = disk;
    this.settings = settings;
    this.store =
        LogStore.open(
            List.of(FIRST, SECOND),
            new StoreSettings(partition -> settings, 3_000, 300_000, 60_000, 1),
            new Surroundings(
                disk,
                clock,
                new SplittableRandom(7),
                scheduler,
                (kind, sentence) -> events.add(kind + " " + sentence)));
  }

  static TwoDirectories open(Disk disk, Map<String, String> settings) throws IOException {
    return new TwoDirectories(disk, LogSettings.of(settings));
  }

  /** The one partition, created in the first directory. */
  PartitionLog orders() throws IOException {
    return store.find(Lab.ORDERS).isPresent()
        ? store.find(Lab.ORDERS).get()
        : store.create(Lab.ORDERS, Lab.ORDERS_ID, settings);
  }

  /** Moves it and runs the background until nothing is due. */
  void moveTo(Path directory) {
    store.move(Lab.ORDERS, directory, () -> {});
    scheduler.runDue();
  }

  /** The folders of partitions in both directories. */
  List<String> folders() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path directory : List.of(FIRST, SECOND)) {
      for (String name : disk.list(directory)) {
        if (disk.isDirectory(directory.resolve(name))) {
          found.add(directory.resolve(name).toString());
        }
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
