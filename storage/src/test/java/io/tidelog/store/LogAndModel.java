package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.OffsetOutOfRangeException;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A log and its model, to which the same is done; after each step they are compared. */
final class LogAndModel {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");

  private final Map<String, String> settings;
  private final ModelLog model = new ModelLog();
  private SimDisk disk;
  private Lab lab;
  private int epoch;
  private boolean losesBytes;

  private LogAndModel(Map<String, String> settings, SimDisk disk) throws IOException {
    this.settings = settings;
    this.disk = disk;
    this.lab = Lab.open(disk, DATA, settings);
  }

  static LogAndModel start(Map<String, String> settings) throws IOException {
    SimDisk disk = new SimDisk(1);
    LogAndModel both = new LogAndModel(settings, disk);
    both.log();
    return both;
  }

  /** From here on a crash takes the last byte of the log too, whether it was synced or not. */
  void loseBytesInCrashes() {
    losesBytes = true;
  }

  Lab lab() {
    return lab;
  }

  private PartitionLog log() throws IOException {
    return lab.orders();
  }

  void append(ByteBuffer batch) throws IOException {
    Appended appended = log().append(batch, epoch, AppendSource.CLIENT);
    assertThat(appended.duplicate()).isFalse();
    assertThat(appended.baseOffset()).isEqualTo(model.end());
    model.append(batch, epoch);
  }

  void appendNext(long producer, int records) throws IOException {
    append(batchOf(producer, nextSequence(producer), records));
  }

  private int nextSequence(long producer) {
    return model
        .lastOf(producer)
        .map(last -> last.firstSequence() + last.entries().size())
        .orElse(0);
  }

  private static ByteBuffer batchOf(long producer, int sequence, int records) {
    return Produced.by(
        new Produced.Producer(producer, (short) 0), sequence, SimClock.START_MS + 50, records);
  }

  void resendLast(long producer) throws IOException {
    Optional<ModelLog.Batch> last = model.rememberedOf(producer);
    if (last.isPresent()) {
      int records = last.get().entries().size();
      ByteBuffer again = batchOf(producer, last.get().firstSequence(), records);
      Appended appended = log().append(again, epoch, AppendSource.CLIENT);
      assertThat(appended.duplicate()).isTrue();
      assertThat(appended.baseOffset()).isEqualTo(last.get().baseOffset());
      assertThat(appended.lastOffset()).isEqualTo(last.get().endOffset() - 1);
    }
  }

  void skipASequence(long producer) {
    if (model.rememberedOf(producer).isPresent()) {
      ByteBuffer early = batchOf(producer, nextSequence(producer) + 1, 2);
      assertThatThrownBy(() -> log().append(early, epoch, AppendSource.CLIENT))
          .isInstanceOf(ProducerStateException.class);
    }
  }

  void raiseEpoch() {
    epoch++;
  }

  void read(int at, int maxBytes) throws IOException {
    long offset = model.start() + at % (model.end() - model.start() + 2);
    if (offset > model.end()) {
      assertThatThrownBy(() -> log().read(offset, maxBytes, ReadUpTo.LOG_END))
          .isInstanceOf(OffsetOutOfRangeException.class);
      return;
    }
    List<Lab.Entry> found = new ArrayList<>();
    Lab.addEntries(Lab.bytesAt(log(), offset, maxBytes), offset, found);
    List<Lab.Entry> expected =
        model.entries().stream().filter(entry -> entry.offset() >= offset).toList();
    assertThat(found).isEqualTo(expected.subList(0, found.size()));
    assertThat(found.isEmpty()).isEqualTo(expected.isEmpty());
  }

  void searchTime(long timestampMs) throws IOException {
    assertThat(log().offsetAtTime(timestampMs, ReadUpTo.LOG_END))
        .isEqualTo(model.atTime(timestampMs));
    assertThat(log().offsetOfMaxTimestamp()).isEqualTo(model.latest());
  }

  void flush() throws IOException {
    log().flush();
    assertThat(log().recoveryPoint()).isEqualTo(model.end());
    model.durableTo(model.end());
  }

  void background(int forMs) throws IOException {
    lab.scheduler.advanceMs(forMs);
    model.durableTo(log().recoveryPoint());
    assertThat(log().view().highWatermark()).isEqualTo(model.end());
  }

  void deleteRecords(int at) throws IOException {
    long offset = at % (log().view().highWatermark() + 1);
    log().advanceStart(offset);
    model.advanceStart(offset);
  }

  void dropSegments(int at) throws IOException {
    long offset = at % (model.end() + 1);
    log().dropSegmentsBelow(offset);
    long start = log().view().start();
    assertThat(start).isBetween(model.start(), Math.max(model.start(), offset));
    model.advanceStart(start);
  }

  void truncate(int at) throws IOException {
    long offset = model.start() + at % (model.end() - model.start() + 1);
    log().truncateTo(offset);
    model.truncateTo(offset);
    model.durableTo(0);
  }

  void reopen() throws IOException {
    lab.close();
    disk.close();
    model.durableTo(model.end());
    lab = Lab.open(disk, DATA, settings);
    assertThat(lab.events).isEmpty();
    assertThat(log().view().highWatermark()).isEqualTo(model.end());
  }

  void crash(long seed) throws IOException {
    model.durableTo(Math.max(log().recoveryPoint(), acknowledged()));
    disk = disk.crash(seed);
    if (losesBytes) {
      FullScan.loseLastByte(disk, FOLDER);
    }
    lab = Lab.open(disk, DATA, settings);
    long end = log().view().end();
    assertThat(model.mayEndAt(end)).as("the log may end at %d after the crash", end).isTrue();
    model.truncateTo(end);
    compareAll();
  }

  /** With fsync durability what is acknowledged is durable. */
  private long acknowledged() throws IOException {
    return settings.get("tidelog.durability").equals("fsync") ? log().view().highWatermark() : 0;
  }

  void compareOffsets() throws IOException {
    assertThat(log().view().start()).isEqualTo(model.start());
    assertThat(log().view().end()).isEqualTo(model.end());
    assertThat(log().view().highWatermark()).isLessThanOrEqualTo(model.end());
    assertThat(log().recoveryPoint()).isLessThanOrEqualTo(model.end());
  }

  void compareAll() throws IOException {
    compareOffsets();
    assertThat(Lab.entries(log(), 500)).isEqualTo(model.entries());
    for (long offset = model.start(); offset < model.end(); offset++) {
      assertThat(log().epochAt(offset))
          .as("epoch at %d", offset)
          .isEqualTo(model.at(offset).epoch());
    }
    FullScan.of(disk, FOLDER).agreesWith(log());
  }

  void stop() throws IOException {
    lab.close();
    disk.close();
  }
}
