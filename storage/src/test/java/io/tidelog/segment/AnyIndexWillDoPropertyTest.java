package io.tidelog.segment;

import io.tidelog.log.AppendSource;
import io.tidelog.record.Compression;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever stands in an index file after a clean stop, every search answers what a scan of the log
 * says.
 */
class AnyIndexWillDoPropertyTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "900", "index.interval.bytes", "150");
  private static final int BATCHES = 16;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void any_byte_may_have_any_value(long seed) throws IOException {
    SimDisk written = soundLog(seed);
    SimDisk sound = written.restart(seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (Path index : indexes(sound)) {
      for (int at = 0; at < sound.sizeBytes(index); at++) {
        SimDisk disk = written.restart(seed);
        byte value = (byte) random.nextInt();
        new Damage(disk).write(index, at, value);
        searchesAgree(disk, index + " with " + value + " at byte " + at + ", seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void a_file_may_have_any_length(long seed) throws IOException {
    SimDisk written = soundLog(seed);
    SimDisk sound = written.restart(seed);
    for (Path index : indexes(sound)) {
      for (long size = 0; size < sound.sizeBytes(index); size++) {
        SimDisk disk = written.restart(seed);
        new Damage(disk).cut(index, size);
        searchesAgree(disk, index + " cut to " + size + " bytes, seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void an_entry_may_be_the_copy_of_another(long seed) throws IOException {
    SimDisk written = soundLog(seed);
    SimDisk sound = written.restart(seed);
    for (Path index : indexes(sound)) {
      int entryBytes = index.toString().endsWith(SegmentFiles.TIME_INDEX) ? 12 : 8;
      byte[] bytes = new Damage(sound).bytes(index);
      for (int from = 0; from < bytes.length; from += entryBytes) {
        byte[] entry = java.util.Arrays.copyOfRange(bytes, from, from + entryBytes);
        for (int to = 0; to <= bytes.length; to += entryBytes) {
          SimDisk disk = written.restart(seed);
          new Damage(disk).write(index, to, entry);
          searchesAgree(disk, index + " with entry " + from + " at " + to + ", seed " + seed);
        }
      }
    }
  }

  private static void searchesAgree(SimDisk disk, String what) throws IOException {
    try (Lab lab = Lab.open(disk, DATA, SETTINGS).harmed()) {
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
    } catch (IOException | AssertionError e) {
      throw new AssertionError(what, e);
    }
    disk.close();
  }

  private static List<Path> indexes(SimDisk disk) throws IOException {
    return disk.list(FOLDER).stream()
        .filter(name -> name.endsWith("index"))
        .map(FOLDER::resolve)
        .toList();
  }

  /** Several segments; times that rise slowly, stand still, and now and then run backwards. */
  private static SimDisk soundLog(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    SimDisk disk = new SimDisk(seed);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      long at = SimClock.START_MS - 1000;
      for (int i = 0; i < BATCHES; i++) {
        at += random.nextInt(3) == 0 ? 0 : random.nextInt(-1, 3);
        Compression codec = random.nextInt(3) == 0 ? Compression.GZIP : Compression.NONE;
        lab.orders().append(Produced.at(codec, at, at - 1, at), 0, AppendSource.CLIENT);
      }
    }
    return disk;
  }
}
