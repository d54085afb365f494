package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A copy of a stopped log with harm to a {@code .log} file. The batches that it touched may be
 * lost, which is told; all others are served, start after start, and no offset is used again.
 */
final class HarmedCopy {
  private static final int STARTS = 3;
  private static final int READ_BYTES = 500;
  private static final String FRESH = "fresh";

  private final LogAndModel both;
  private final ModelLog model;
  private final SimDisk disk;
  private final List<FullScan.Batch> batches;
  private final Set<FullScan.Batch> touched = new HashSet<>();
  private final List<String> events = new ArrayList<>();

  HarmedCopy(LogAndModel both, ModelLog model, SimDisk disk, List<FullScan.Batch> batches) {
    this.both = both;
    this.model = model;
    this.disk = disk;
    this.batches = batches;
  }

  /**
   * Flips a byte of a batch, makes all of it zero, or cuts the file within it. A base offset is
   * left alone, for no CRC covers it: where compaction may leave gaps, another one may be as good.
   */
  void harm(int at, int how) throws IOException {
    FullScan.Batch batch = batches.get(at % batches.size());
    int position = batch.position() + Long.BYTES + how % (batch.header().sizeBytes() - Long.BYTES);
    Damage damage = new Damage(disk);
    switch (how % 3) {
      case 0 -> damage.invert(batch.file(), position);
      case 1 -> damage.write(batch.file(), batch.position(), new byte[batch.header().sizeBytes()]);
      default -> {
        damage.cut(batch.file(), position);
        batches.stream()
            .filter(each -> each.file().equals(batch.file()) && each.end() > position)
            .forEach(touched::add);
      }
    }
    touched.add(batch);
  }

  /** Does harm to another batch and does not say so. */
  void harmInSilence(int at) throws IOException {
    List<FullScan.Batch> others =
        batches.stream().filter(batch -> !touched.contains(batch)).toList();
    if (!others.isEmpty()) {
      FullScan.Batch other = others.get(at % others.size());
      new Damage(disk).invert(other.file(), other.end() - 1);
    }
  }

  /** Only what was touched is lost. */
  void loses() throws IOException {
    long end = model.end();
    for (int start = 0; start < STARTS; start++) {
      try (Lab lab = both.open(disk).harmed()) {
        PartitionLog log = lab.orders();
        assertThat(log.view().start()).isGreaterThanOrEqualTo(model.start());
        assertThat(log.view().end()).isGreaterThanOrEqualTo(end);
        end = Lab.append(log, lab.clock.millis(), "later:" + FRESH).baseOffset() + 1;
        lab.scheduler.runDue();
        List<Lab.Entry> served = Lab.entries(log, READ_BYTES);
        isComplete(served);
        isCommitted(log);
        events.addAll(lab.events);
        isTold(log, served);
        assertThat(lab.events).doesNotHaveDuplicates();
      }
      disk.close();
    }
  }

  private boolean isTouched(long offset) {
    return touched.stream()
        .anyMatch(
            batch ->
                batch.header().baseOffset() <= offset && offset <= batch.header().lastOffset());
  }

  private void isComplete(List<Lab.Entry> served) {
    List<Lab.Entry> written = model.entries();
    assertThat(served)
        .containsAll(written.stream().filter(entry -> !isTouched(entry.offset())).toList());
    List<Lab.Entry> old =
        served.stream()
            .filter(entry -> entry.offset() < model.end() && !model.at(entry.offset()).isMarker())
            .toList();
    assertThat(written).containsAll(old);
    assertThat(served.stream().filter(entry -> entry.offset() >= model.end()))
        .allMatch(entry -> FRESH.equals(entry.value()));
  }

  /** Whoever reads committed records sees no others, whatever is lost. */
  private void isCommitted(PartitionLog log) throws IOException {
    Set<Long> committed = model.committed(0, model.end()).keySet();
    for (long offset = log.view().start(); offset < model.end(); offset++) {
      try {
        assertThat(committed)
            .containsAll(
                CommittedReader.honest()
                    .fetch(log, offset, READ_BYTES, ReadUpTo.LAST_STABLE_OFFSET)
                    .records()
                    .keySet()
                    .stream()
                    .filter(each -> each < model.end())
                    .toList());
      } catch (LostOffsetsException told) {
        assertThat(model.entries())
            .as(told.getMessage())
            .noneMatch(entry -> told.stretch().holds(entry.offset()) && !isTouched(entry.offset()));
      }
    }
  }

  /** Each record that is not served is told of in an event, or to whoever asks for it. */
  private void isTold(PartitionLog log, List<Lab.Entry> served) throws IOException {
    for (Lab.Entry entry : model.entries()) {
      if (!served.contains(entry) && events.isEmpty()) {
        try {
          Lab.bytesAt(log, entry.offset(), 1);
          throw new AssertionError("nothing says that the record is lost: " + entry);
        } catch (LostOffsetsException told) {
          assertThat(told.stretch().holds(entry.offset())).isTrue();
        }
      }
    }
  }
}
