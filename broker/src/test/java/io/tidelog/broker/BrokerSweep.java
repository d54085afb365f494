package io.tidelog.broker;

import io.tidelog.record.RecordBatch;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/**
 * Starts the broker on damaged copies of a {@link SweptDirectory} and finds out what it does that
 * it must not: serve what was not written, lose what its logs still hold, show what was deleted or
 * aborted, give an offset twice, store a batch twice, remove sound records without a copy, stop
 * serving the other partitions, or refuse to start without saying which file and what to do.
 */
final class BrokerSweep {
  private static final Pattern ADVICE =
      Pattern.compile(
          "(?i)restore|name all|remove|move|put|set |start the|take|give|choose|bring|copy|run");

  private final SweptDirectory directory;
  private final Map<Path, byte[]> files;
  private final Map<String, ServedRecords> written = new TreeMap<>();
  private final Map<String, List<HeldBatch>> batches = new TreeMap<>();

  /** A batch of the undamaged directory: where it lies, and the offsets that it holds. */
  private record HeldBatch(Path file, int position, byte[] bytes, long first, long last) {
    boolean isIn(Map<Path, byte[]> files) {
      byte[] log = files.get(file);
      return log != null
          && log.length >= position + bytes.length
          && Arrays.equals(log, position, position + bytes.length, bytes, 0, bytes.length);
    }

    boolean isAnywhereIn(Map<Path, byte[]> files) {
      return files.values().stream().anyMatch(this::isWithin);
    }

    private boolean isWithin(byte[] contents) {
      for (int at = 0; at + bytes.length <= contents.length; at++) {
        if (Arrays.equals(contents, at, at + bytes.length, bytes, 0, bytes.length)) {
          return true;
        }
      }
      return false;
    }
  }

  private BrokerSweep(SweptDirectory directory, Map<Path, byte[]> files) {
    this.directory = directory;
    this.files = files;
  }

  static BrokerSweep of(SweptDirectory directory) throws IOException {
    BrokerSweep sweep = new BrokerSweep(directory, SweptDirectory.files(directory.copy()));
    SimDisk sound = directory.copy();
    try (TestBroker broker =
        SweptDirectory.start(sound, new SimClock(), new ArrayList<>(), new ByHand())) {
      for (String name : ServedRecords.topics()) {
        Topic topic = broker.topics().find(name).orElseThrow();
        sweep.written.put(name, ServedRecords.of(broker, topic));
        sweep.batches.put(name, sweep.batchesOf(name));
      }
    }
    return sweep;
  }

  private List<HeldBatch> batchesOf(String topic) {
    List<HeldBatch> found = new ArrayList<>();
    files.forEach(
        (path, bytes) -> {
          if (path.toString().endsWith(".log") && path.getParent().endsWith(topic + "-0")) {
            for (int at = 0; at < bytes.length; ) {
              RecordBatch batch = RecordBatch.at(ByteBuffer.wrap(bytes), at);
              found.add(
                  new HeldBatch(
                      path,
                      at,
                      Arrays.copyOfRange(bytes, at, at + batch.sizeBytes()),
                      batch.baseOffset(),
                      batch.lastOffset()));
              at += batch.sizeBytes();
            }
          }
        });
    return found;
  }

  /** The files of the directory, with their contents. */
  Map<Path, byte[]> files() {
    return files;
  }

  /** What is wrong with what the broker does; empty if nothing is. */
  List<String> faults(SweepCase damage) throws IOException {
    SimDisk disk = directory.copy();
    damage.doTo(disk);
    Map<Path, byte[]> before = SweptDirectory.files(disk);
    List<String> faults = new ArrayList<>();
    List<String> events = new ArrayList<>();
    ByHand scheduler = new ByHand();
    try (TestBroker broker = SweptDirectory.start(disk, new SimClock(), events, scheduler)) {
      scheduler.runAll();
      Files files = new Files(before, SweptDirectory.files(disk));
      for (String name : ServedRecords.topics()) {
        check(broker, name, damage, files, faults);
      }
    } catch (BrokerStartException refused) {
      checkRefusal(refused.getMessage(), damage, faults);
    } catch (IOException | RuntimeException | AssertionError e) {
      faults.add("it failed: " + e);
    }
    return faults;
  }

  private void checkRefusal(String sentence, SweepCase damage, List<String> faults) {
    if (!damage.topic().isEmpty() && !damage.topic().startsWith("__cluster_metadata")) {
      faults.add("damage in one partition kept all from being served: " + sentence);
    }
    String file = damage.file().getFileName().toString();
    String folder = damage.file().getParent().getFileName().toString();
    if (!sentence.contains(file) && !sentence.contains(folder)) {
      faults.add("the refusal names neither file nor folder: " + sentence);
    }
    if (!ADVICE.matcher(sentence).find()
        || sentence.contains("\n")
        || sentence.contains("Exception")) {
      faults.add("the refusal does not say what to do: " + sentence);
    }
  }

  /** The files before the start and after it. */
  private record Files(Map<Path, byte[]> before, Map<Path, byte[]> after) {}

  private void check(
      TestBroker broker, String name, SweepCase damage, Files files, List<String> faults)
      throws IOException {
    Topic topic = broker.topics().find(name).orElse(null);
    if (topic == null) {
      faults.add("topic " + name + " is not served");
      return;
    }
    ServedRecords now = ServedRecords.of(broker, topic);
    ServedRecords then = written.get(name);
    now.all()
        .forEach(
            (offset, line) -> {
              if (!line.equals(then.all().get(offset))) {
                faults.add("%s serves \"%s\" at %d".formatted(name, line, offset));
              }
            });
    now.committed()
        .forEach(
            (offset, line) -> {
              if (!line.equals(then.committed().get(offset))) {
                faults.add("%s shows as committed \"%s\" at %d".formatted(name, line, offset));
              }
            });
    for (HeldBatch held : batches.get(name)) {
      if (held.isIn(files.before())) {
        checkHeld(held, name, now, then, faults);
        if (held.last() >= then.start()
            && !held.isIn(files.after())
            && !held.isAnywhereIn(files.after())) {
          faults.add(
              "%s %d to %d is on the disk no more".formatted(name, held.first(), held.last()));
        }
      }
    }
    if (now.end() < then.end() && !mayEndEarly(name, damage)) {
      faults.add("%s ends at %d instead of %d".formatted(name, now.end(), then.end()));
    }
    if (name.equals("idempotent") && !isLogOf(name, damage)) {
      checkResent(broker, topic, now, faults);
    }
  }

  private static void checkHeld(
      HeldBatch held, String name, ServedRecords now, ServedRecords then, List<String> faults) {
    for (long offset = Math.max(held.first(), then.start()); offset <= held.last(); offset++) {
      boolean isLost = then.all().containsKey(offset) && !now.all().containsKey(offset);
      boolean isHidden =
          then.committed().containsKey(offset) && !now.committed().containsKey(offset);
      if (isLost || isHidden) {
        faults.add(
            "%s %s %d, which its log holds".formatted(name, isLost ? "lost" : "hides", offset));
      }
    }
  }

  /** After a crash a log whose end is damaged ends before that. */
  private static boolean mayEndEarly(String name, SweepCase damage) {
    return damage.stop() == SweepCase.Stop.UNCLEAN && isLogOf(name, damage);
  }

  private static boolean isLogOf(String name, SweepCase damage) {
    return damage.topic().equals(name) && damage.file().toString().endsWith(".log");
  }

  private static void checkResent(
      TestBroker broker, Topic topic, ServedRecords now, List<String> faults) throws IOException {
    try (DataClient client = broker.dataClient()) {
      int last = SweptDirectory.IDEMPOTENT_BATCHES - 1;
      PartitionProduceResponse again = client.produce(topic, 0, SweptDirectory.idempotent(last));
      if (again.errorCode() != Errors.NONE.code() || again.baseOffset() != 2L * last) {
        faults.add(
            "the last batch, sent again, is answered with %s and offset %d"
                .formatted(Errors.forCode(again.errorCode()), again.baseOffset()));
      }
      PartitionProduceResponse next =
          client.produce(topic, 0, SweptDirectory.idempotent(SweptDirectory.IDEMPOTENT_BATCHES));
      if (next.errorCode() != Errors.NONE.code() || next.baseOffset() != now.end()) {
        faults.add(
            "the next batch is answered with %s and offset %d instead of %d"
                .formatted(Errors.forCode(next.errorCode()), next.baseOffset(), now.end()));
      }
    }
  }
}
