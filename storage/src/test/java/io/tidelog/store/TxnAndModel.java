package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.record.RecordBatch;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A partition with transactions on a disk that loses power, beside its model. */
final class TxnAndModel {
  private static final Path DATA = Path.of("/data");

  private final SimClock clock = new SimClock();
  private final Map<String, String> settings = new TreeMap<>();
  private final Writers writers = new Writers();
  private final TxnModel model = new TxnModel();
  private final CommittedReader client;
  private SimDisk disk = new SimDisk(1);
  private Lab lab;

  TxnAndModel(String durability, CommittedReader client) throws IOException {
    this.client = client;
    settings.put("segment.bytes", "600");
    settings.put("index.interval.bytes", "100");
    settings.put("file.delete.delay.ms", "0");
    settings.put("tidelog.durability", durability);
    disk.createDirectories(DATA);
    disk.close();
    disk = disk.restart(1);
    lab = Lab.open(disk, DATA, clock, settings);
  }

  private PartitionLog log() throws IOException {
    return lab.orders();
  }

  void does(TxnOp op) throws IOException {
    clock.advanceMs(1);
    long producer = op.producer();
    switch (op.kind()) {
      case PLAIN -> {
        Writers.Sent sent = writers.plain(op.records(), clock.millis());
        sent.to(log(), 0);
        model.add(sent.values());
      }
      case IDEMPOTENT -> {
        Writers.Sent sent = writers.idempotent(producer - 10, op.records(), clock.millis());
        sent.to(log(), 0);
        model.add(sent.values());
      }
      case TRANSACTIONAL -> {
        Writers.Sent sent = writers.transactional(producer, op.records(), clock.millis());
        sent.to(log(), 0);
        model.addTo(producer, sent.values());
      }
      case END -> {
        EndTransactionMarker marker = writers.end(producer, op.outcome(), op.protocol());
        log().appendMarker(marker, 0);
        model.end(producer, op.outcome());
      }
      case COMMIT -> lab.scheduler.runDue();
      case DELETE_RECORDS -> deleteRecords(op.number());
      case TRUNCATE -> truncate(op.number());
      case REOPEN -> reopen();
      case REOPEN_UNCLEAN -> crash(op.number());
    }
    agreeOnOffsets(op);
  }

  private void deleteRecords(int number) throws IOException {
    long offset = number % (log().view().highWatermark() + 1);
    log().advanceStart(offset);
    model.advanceStart(offset);
    log().dropSegmentsBelow(log().view().start());
    agree();
  }

  private void truncate(int number) throws IOException {
    long end = log().view().end();
    long wanted = log().view().start() + number % (end - log().view().start() + 1);
    if (wanted < end) {
      long boundary = RecordBatch.at(Lab.bytesAt(log(), wanted, 1), 0).baseOffset();
      if (boundary >= log().view().start()) {
        log().truncateTo(boundary);
        model.truncateTo(boundary);
        startProducersAgain();
        agree();
      }
    }
  }

  private void startProducersAgain() {
    for (long producer = 0; producer < 14; producer++) {
      writers.newEpoch(producer);
    }
  }

  private void reopen() throws IOException {
    lab.close();
    disk.close();
    lab = Lab.open(disk, DATA, clock, settings);
    assertThat(lab.events).isEmpty();
    agree();
  }

  private void crash(long seed) throws IOException {
    boolean isDurable = settings.get("tidelog.durability").equals("fsync");
    long durable = Math.max(log().recoveryPoint(), isDurable ? log().view().highWatermark() : 0);
    disk = disk.crash(seed);
    lab = Lab.open(disk, DATA, clock, settings);
    long end = log().view().end();
    assertThat(end).isGreaterThanOrEqualTo(durable);
    assertThat(model.mayEndAt(end)).as("the log may end at %d", end).isTrue();
    model.truncateTo(end);
    startProducersAgain();
    agree();
  }

  private void agreeOnOffsets(TxnOp after) throws IOException {
    assertThat(log().view().start()).as("start after %s", after).isEqualTo(model.start());
    assertThat(log().view().end()).as("end after %s", after).isEqualTo(model.end());
    assertThat(model.stable(log().view().highWatermark()))
        .as("last stable offset after %s", after)
        .contains(log().view().stable());
  }

  /** From every offset, with small and large reads, both kinds of clients see what they should. */
  void agree() throws IOException {
    for (long offset = model.start(); offset <= log().view().end(); offset++) {
      for (int maxBytes : new int[] {1, 300, 100_000}) {
        agree(offset, maxBytes);
      }
    }
  }

  private void agree(long offset, int maxBytes) throws IOException {
    long bound = log().view().stable();
    CommittedReader.Got committed =
        client.fetch(log(), offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
    assertThat(committed.records())
        .as("committed records in %d bytes from %d", maxBytes, offset)
        .isEqualTo(model.committed(offset, Math.min(committed.next(), bound)));
    assertThat(committed.next() > offset).isEqualTo(offset < bound);
    CommittedReader.Got all = client.fetch(log(), offset, maxBytes, ReadUpTo.HIGH_WATERMARK);
    assertThat(all.records())
        .as("records in %d bytes from %d", maxBytes, offset)
        .isEqualTo(model.records(offset, all.next()));
    assertThat(all.next() > offset).isEqualTo(offset < log().view().highWatermark());
  }

  void stop() throws IOException {
    lab.close();
    disk.close();
  }
}
