package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.AppendSource;
import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A large segment is checked by all threads at once, and what is found is the same. */
class PiecesTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Path INDEX = FOLDER.resolve("00000000000000000000.index");
  private static final int BATCHES = 400;
  private static final String VALUE = "a value".repeat(8_000);

  private SimDisk disk;
  private Damage damage;
  private List<FullScan.Batch> written;

  @BeforeEach
  void writeALog() throws IOException {
    disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, Map.of())) {
      for (int i = 0; i < BATCHES; i++) {
        lab.orders()
            .append(
                Lab.batch(Compression.NONE, SimClock.START_MS + i, "a", VALUE),
                0,
                AppendSource.CLIENT);
      }
    }
    damage = new Damage(disk);
    written = FullScan.of(disk, FOLDER).batches();
  }

  private VerifyReport verify(VerifyOptions options) throws IOException {
    return Verifier.verify(disk, FOLDER, options);
  }

  /** What is wrong with the log, in order. */
  private List<String> findings(VerifyOptions options) throws IOException {
    return verify(options).findings().stream()
        .filter(finding -> finding.file().toString().endsWith(".log"))
        .map(finding -> finding.kind() + " " + finding)
        .toList();
  }

  @Test
  void every_batch_is_looked_at_once() throws IOException {
    for (int threads : List.of(1, 2, 5)) {
      VerifyReport report = verify(VerifyOptions.deep().withThreads(threads));
      assertThat(report.findings()).isEmpty();
      assertThat(report.batches()).isEqualTo(BATCHES);
    }
  }

  private enum Hints {
    RIGHT {
      @Override
      void make(PiecesTest test) {}
    },
    NONE {
      @Override
      void make(PiecesTest test) throws IOException {
        test.disk.delete(INDEX);
      }
    },
    WRONG {
      @Override
      void make(PiecesTest test) throws IOException {
        byte[] entries = test.damage.bytes(INDEX);
        for (int at = 7; at < entries.length; at += 8) {
          test.damage.invert(INDEX, at);
        }
      }
    };

    abstract void make(PiecesTest test) throws IOException;
  }

  @ParameterizedTest
  @EnumSource(Hints.class)
  void damage_is_found_alike_whatever_the_index_says(Hints hints) throws IOException {
    for (int at : new int[] {0, 1, 120, 240, 241, 242, 350, BATCHES - 1}) {
      FullScan.Batch victim = written.get(at);
      damage.invert(victim.file(), victim.position() + 100);
    }
    FullScan.Batch lengthy = written.get(300);
    damage.write(lengthy.file(), lengthy.position() + 8, (byte) 0, (byte) 1);
    hints.make(this);

    List<String> found = findings(VerifyOptions.deep().withThreads(3));

    assertThat(found).hasSize(6);
    assertThat(verify(VerifyOptions.batches()).batches()).isEqualTo(BATCHES - 9);
    assertThat(found).isEqualTo(findings(VerifyOptions.batches().withThreads(1)));
    disk.delete(INDEX.resolveSibling("00000000000000000000.timeindex"));
    assertThat(found).isEqualTo(findings(VerifyOptions.batches()));
  }

  @Test
  void as_much_is_told_of_one_kind_as_of_a_small_log() throws IOException {
    for (int at = 100; at < 400; at += 2) {
      haveNoRecordCount(written.get(at));
    }

    List<String> found = findings(VerifyOptions.batches().withThreads(3));

    assertThat(found).hasSize(FindingList.MOST_OF_A_KIND + 1);
    assertThat(found).anyMatch(line -> line.contains("found 50 more like the 100 before"));
  }

  /** Its CRC is right, its header breaks a rule. */
  private void haveNoRecordCount(FullScan.Batch victim) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(victim.header().sizeBytes()).put(victim.bytes());
    bytes.putInt(RecordBatch.RECORD_COUNT_AT, -1);
    bytes.putInt(RecordBatch.CRC_AT, (int) RecordBatch.at(bytes.flip(), 0).computeCrc());
    damage.write(victim.file(), victim.position(), bytes.array());
  }
}
