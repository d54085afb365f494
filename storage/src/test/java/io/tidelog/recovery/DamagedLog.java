package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A log of ten batches in three or more segments, to damage copies of; and what has to hold for
 * every one of these, whatever was done to it.
 */
final class DamagedLog {
  static final Path DATA = Path.of("/data");
  static final Path FOLDER = DATA.resolve("orders-0");
  static final int BATCHES = 10;
  static final int RECORDS = 3;
  static final long END = (long) BATCHES * RECORDS;

  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "420", "index.interval.bytes", "150");

  /** Switched off, to make copies of; and a copy to look at. */
  private final SimDisk written = new SimDisk(1);

  private final SimDisk sound;
  private final FullScan scan;

  /** How the store was stopped before the damage was done. */
  enum Stop {
    CLEAN,
    /** A crash, after all was durable. */
    DURABLE,
    /** A crash, and nothing says that anything was durable. */
    UNKNOWN
  }

  /** Harm done to a disk. */
  interface Harm {
    void on(Damage damage) throws IOException;
  }

  DamagedLog() throws IOException {
    written.createDirectories(DATA);
    try (Lab lab = open(written)) {
      for (int i = 0; i < BATCHES; i++) {
        append(lab.orders());
      }
    }
    sound = written.restart(1);
    scan = FullScan.of(sound, FOLDER);
    assertThat(logs()).hasSizeGreaterThanOrEqualTo(3);
  }

  private static Lab open(SimDisk disk) throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  private static long append(PartitionLog log) throws IOException {
    long offset = log.view().end();
    String[] values = {"a" + offset, "bb" + offset, "ccc" + offset};
    return Lab.append(log, timeOf(offset), values).baseOffset();
  }

  private static long timeOf(long offset) {
    return SimClock.START_MS - 100_000 + offset;
  }

  List<FullScan.Batch> batches() {
    return scan.batches();
  }

  /** The log files, by rising offset. */
  List<Path> logs() {
    return batches().stream().map(FullScan.Batch::file).distinct().toList();
  }

  Path middleLog() {
    return logs().get(1);
  }

  Path activeLog() {
    return logs().get(logs().size() - 1);
  }

  int size(Path log) throws IOException {
    return (int) sound.sizeBytes(log);
  }

  byte[] bytes(Path log) throws IOException {
    return new Damage(sound).bytes(log);
  }

  /**
   * Does harm to a copy and opens it, again and again, after clean stops and after crashes.
   *
   * @param harmed batches whose records may be lost; all others must be there each time
   */
  void survives(Stop stop, Set<Integer> harmed, Harm harm) throws IOException {
    SimDisk disk = written.restart(1);
    prepare(disk, stop);
    harm.on(new Damage(disk));
    long durable = stop == Stop.UNKNOWN ? 0 : END;
    Set<Long> fresh = new HashSet<>();
    List<Lab.Entry> first;
    try (Lab lab = open(disk).harmed()) {
      first = check(lab, harmed, durable);
      appendFresh(lab.orders(), durable, fresh);
    }
    disk.close();
    List<Lab.Entry> again;
    try (Lab lab = open(disk).harmed()) {
      again = check(lab, harmed, durable);
      assertThat(old(again)).isEqualTo(old(first));
      appendFresh(lab.orders(), durable, fresh);
      lab.orders().flush();
    }
    disk.close();
    SimDisk crashed = disk.restart(2);
    crashed.delete(DATA.resolve(".kafka_cleanshutdown"));
    try (Lab lab = open(crashed).harmed()) {
      assertThat(old(check(lab, harmed, durable))).isEqualTo(old(first));
      appendFresh(lab.orders(), durable, fresh);
    }
    crashed.close();
  }

  private static List<Lab.Entry> old(List<Lab.Entry> entries) {
    return entries.stream().filter(entry -> entry.timestampMs() < timeOf(END)).toList();
  }

  private static void prepare(SimDisk disk, Stop stop) throws IOException {
    switch (stop) {
      case CLEAN -> {}
      case DURABLE -> {
        new Damage(disk).forgetCleanStop(DATA);
        new OffsetCheckpoint(disk, DATA, OffsetCheckpoint.Kind.RECOVERY_POINT)
            .write(Map.of(Lab.ORDERS, END));
      }
      case UNKNOWN -> new Damage(disk).forgetCleanStop(DATA);
    }
  }

  /** Values name the offset that they had first, so a used one that comes again is seen. */
  private static void appendFresh(PartitionLog log, long durable, Set<Long> fresh)
      throws IOException {
    long end = log.view().end();
    long base =
        Lab.append(log, timeOf(END + 1), "new" + end, "new" + (end + 1), "new" + (end + 2))
            .baseOffset();
    assertThat(base).isEqualTo(end).isGreaterThanOrEqualTo(durable);
    assertThat(fresh.add(base)).isTrue();
  }

  /** Reads all that can be read, and compares it with what was written. */
  private List<Lab.Entry> check(Lab lab, Set<Integer> harmed, long durable) throws IOException {
    PartitionLog log = lab.orders();
    assertThat(log.view().end()).isGreaterThanOrEqualTo(durable);
    List<Lab.Entry> served = readAll(log);
    List<Lab.Entry> mustHave = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      if (!harmed.contains(i)) {
        mustHave.addAll(scan.entries().subList(i * RECORDS, (i + 1) * RECORDS));
      }
    }
    assertThat(served).containsAll(mustHave);
    for (Lab.Entry entry : served) {
      if (entry.timestampMs() < timeOf(END)) {
        assertThat(scan.entries().get((int) entry.offset())).isEqualTo(entry);
      } else {
        assertThat(entry.value()).isEqualTo("new" + entry.offset());
      }
    }
    checkTimes(log, served);
    checkEachOffset(log, served);
    assertThat(lab.events).doesNotHaveDuplicates();
    return served;
  }

  private static void checkTimes(PartitionLog log, List<Lab.Entry> served) throws IOException {
    long before = -1;
    for (Lab.Entry entry : served) {
      if (entry.timestampMs() == before) {
        continue;
      }
      before = entry.timestampMs();
      OffsetAtTime found = log.offsetAtTime(entry.timestampMs(), ReadUpTo.LOG_END);
      Lab.Entry first =
          served.stream()
              .filter(each -> each.timestampMs() >= entry.timestampMs())
              .findFirst()
              .orElseThrow();
      assertThat(found.offset()).isEqualTo(first.offset());
      assertThat(found.timestampMs()).isEqualTo(first.timestampMs());
    }
    assertThat(log.offsetOfMaxTimestamp().timestampMs())
        .isEqualTo(served.stream().mapToLong(Lab.Entry::timestampMs).max().orElse(-1));
  }

  /** A lookup at any offset answers the batch that holds it, or where to go on. */
  private static void checkEachOffset(PartitionLog log, List<Lab.Entry> served) throws IOException {
    for (long offset = log.view().end() - 1; offset >= log.view().start(); offset--) {
      long wanted = offset;
      List<Lab.Entry> there = new ArrayList<>();
      try {
        Lab.addEntries(Lab.bytesAt(log, offset, 1), offset, there);
      } catch (LostOffsetsException lost) {
        assertThat(lost.stretch().holds(offset)).isTrue();
        assertThat(served)
            .as("read at %d: %s", offset, lost.getMessage())
            .noneMatch(entry -> lost.stretch().holds(entry.offset()));
        continue;
      }
      Lab.Entry first =
          served.stream().filter(entry -> entry.offset() >= wanted).findFirst().orElse(null);
      assertThat(there.isEmpty() ? null : there.get(0)).isEqualTo(first);
    }
  }

  /** All records, by steps over what is lost. */
  private static List<Lab.Entry> readAll(PartitionLog log) throws IOException {
    List<Lab.Entry> entries = new ArrayList<>();
    long offset = log.view().start();
    while (offset < log.view().end()) {
      long next;
      try {
        ByteBuffer bytes = Lab.bytesAt(log, offset, 4096);
        next = bytes.hasRemaining() ? Lab.addEntries(bytes, offset, entries) : log.view().end();
      } catch (LostOffsetsException lost) {
        next = lost.stretch().part().endOffset();
      }
      assertThat(next).as("where to go on after offset %d", offset).isGreaterThan(offset);
      offset = next;
    }
    assertThat(offset).isEqualTo(log.view().end());
    return entries;
  }
}
