package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.store.Damage;
import io.tidelog.store.Lab;
import io.tidelog.store.Writers;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever stands in a {@code .txnindex} that cannot be right, the log is read for it again. */
class TxnIndexDamageTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> SETTINGS = Map.of("segment.bytes", "500");
  private static final int ENTRY_BYTES = 34;
  private static final int FIRST_OFFSET_AT = 10;
  private static final int LAST_OFFSET_AT = 18;
  private static final int LAST_STABLE_OFFSET_AT = 26;

  private SimDisk written = new SimDisk(1);
  private Map<String, ByteBuffer> sound;
  private Path index;

  @BeforeEach
  void write() throws IOException {
    written.createDirectories(DATA);
    try (Lab lab = Lab.open(written, DATA, SETTINGS)) {
      Writers writers = new Writers();
      for (int i = 0; i < 12; i++) {
        writers.transactional(21, 1, SimClock.START_MS).to(lab.orders(), 0);
        writers.transactional(22, 1, SimClock.START_MS).to(lab.orders(), 0);
        abort(lab, writers, 21);
        abort(lab, writers, 22);
      }
    }
    sound = indexes(written);
    index = FOLDER.resolve(sound.keySet().stream().skip(3).findFirst().orElseThrow());
    assertThat(written.sizeBytes(index)).isGreaterThanOrEqualTo(2 * ENTRY_BYTES);
    written = written.restart(1);
  }

  private static void abort(Lab lab, Writers writers, long producer) throws IOException {
    lab.orders().appendMarker(writers.end(producer, Outcome.ABORT, TransactionProtocol.V1), 0);
  }

  private static Map<String, ByteBuffer> indexes(SimDisk disk) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith(".txnindex")) {
        contents.put(name, ByteBuffer.wrap(new Damage(disk).bytes(FOLDER.resolve(name))));
      }
    }
    return contents;
  }

  /** What is done to a directory. */
  private interface Deed {
    void to(SimDisk disk) throws IOException;
  }

  private void isRepaired(String finding, Deed deed) throws IOException {
    SimDisk disk = written.restart(2);
    deed.to(disk);
    assertThat(opened(disk))
        .singleElement()
        .asString()
        .contains("REPAIRED", index.toString(), finding, "found again");
    assertThat(opened(disk)).isEmpty();
    disk.close();
    written = written.restart(1);
  }

  private List<String> opened(SimDisk disk) throws IOException {
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      assertThat(lab.orders().view().stable()).isEqualTo(48);
      assertThat(indexes(disk)).isEqualTo(sound);
      return lab.events;
    }
  }

  private void overwrite(SimDisk disk, int at, long value) throws IOException {
    new Damage(disk).write(index, at, ByteBuffer.allocate(8).putLong(value).array());
  }

  @Test
  void a_length_that_is_no_whole_number_of_entries() throws IOException {
    for (int cut = 1; cut < ENTRY_BYTES; cut++) {
      int bytes = cut;
      isRepaired("expected a multiple of 34", disk -> new Damage(disk).cut(index, bytes));
    }
  }

  @Test
  void another_version() throws IOException {
    isRepaired(
        "entry 1: version is 256", disk -> new Damage(disk).write(index, ENTRY_BYTES, (byte) 1));
  }

  @Test
  void a_marker_outside_of_the_segment_or_out_of_order() throws IOException {
    isRepaired("entry 0: last offset is 0", disk -> overwrite(disk, LAST_OFFSET_AT, 0));
    isRepaired("entry 0: last offset is 99", disk -> overwrite(disk, LAST_OFFSET_AT, 99));
    isRepaired(
        "entry 1: last offset is",
        disk -> {
          byte[] bytes = new Damage(disk).bytes(index);
          new Damage(disk).write(index, ENTRY_BYTES, java.util.Arrays.copyOf(bytes, ENTRY_BYTES));
        });
  }

  @Test
  void a_transaction_that_begins_after_its_end() throws IOException {
    isRepaired("entry 0: first offset is 99", disk -> overwrite(disk, FIRST_OFFSET_AT, 99));
    isRepaired("entry 0: first offset is -1", disk -> overwrite(disk, FIRST_OFFSET_AT, -1));
  }

  @Test
  void a_last_stable_offset_past_the_marker() throws IOException {
    isRepaired(
        "entry 0: last stable offset is 99", disk -> overwrite(disk, LAST_STABLE_OFFSET_AT, 99));
  }

  @Test
  void after_a_crash_they_are_made_anew_whatever_is_there() throws IOException {
    for (Deed deed :
        List.<Deed>of(
            disk -> disk.delete(index),
            disk -> new Damage(disk).cut(index, 5),
            disk -> new Damage(disk).append(index, new byte[ENTRY_BYTES]),
            disk -> overwrite(disk, 2, 4711))) {
      SimDisk disk = written.restart(2);
      deed.to(disk);
      new Damage(disk).forgetCleanStop(DATA);
      assertThat(opened(disk)).isEmpty();
      disk.close();
      written = written.restart(1);
    }
  }
}
