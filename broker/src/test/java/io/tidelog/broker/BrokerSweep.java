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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
  private Map<String, String> coordinated = Map.of();

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
      sweep.coordinated = CoordinatedState.of(broker, sweep.plain(broker));
    }
    return sweep;
  }

  private Topic plain(TestBroker broker) {
    return broker.topics().find("plain").orElseThrow();
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
    try (TestBroker broker =
        SweptDirectory.start(disk, new SimClock(), events, scheduler).harmed()) {
      scheduler.runAll();
      Files files = new Files(before, SweptDirectory.files(disk));
      Start start = new Start(broker, damage, files, events);
      for (String name : ServedRecords.topics()) {
        check(start, name, faults);
      }
      if (damage.topic().startsWith("__") || damage.topic().isEmpty()) {
        checkCoordinated(start, faults);
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

  /** A broker that was started on a damaged directory, and what it said. */
  private record Start(TestBroker broker, SweepCase damage, Files files, List<String> events) {
    /** Whether a line names the damaged file, or its folder, and says this. */
    boolean says(String words) {
      synchronized (events) {
        return events.stream().anyMatch(line -> line.contains(words) && names(line));
      }
    }

    private boolean names(String line) {
      Path file = damage.file();
      return line.contains(file.getFileName().toString())
          || (!damage.topic().isEmpty() && line.contains(file.getParent().toString()));
    }

    /** Whether one of the two files that say where a log begins is damaged, and a line says so. */
    boolean doubts(String topic, String words) {
      String folder = topic + "-0";
      return (damage.file().endsWith("log-start-offset-checkpoint")
              || damage.file().endsWith(Path.of(folder, "leader-epoch-checkpoint")))
          && says(words)
          && says(folder);
    }
  }

  private void check(Start start, String name, List<String> faults) throws IOException {
    Topic topic = start.broker.topics().find(name).orElse(null);
    if (topic == null) {
      faults.add("topic " + name + " is not served");
      return;
    }
    if (start.doubts(name, name + "-0 is not served") || isBeyondTelling(name, start.damage)) {
      return;
    }
    TestBroker broker = start.broker;
    SweepCase damage = start.damage;
    Files files = start.files;
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
        checkHeld(held, start, new Two(name, now, then), faults);
        if (held.last() >= then.start()
            && !held.isIn(files.after())
            && !held.isAnywhereIn(files.after())) {
          faults.add(
              "%s %d to %d is on the disk no more".formatted(name, held.first(), held.last()));
        }
      }
    }
    if (now.end() < then.end()) {
      faults.add("%s ends at %d instead of %d".formatted(name, now.end(), then.end()));
    }
    if (!now.all().equals(then.all()) && !start.says("") && !isCutBetweenBatches(name, damage)) {
      faults.add("%s lacks records, and nothing is said: %s".formatted(name, start.events));
    }
    if (name.equals("idempotent") && !isLogOf(name, damage)) {
      checkResent(broker, topic, now, faults);
    } else if (damage.topic().equals(name)) {
      checkAppend(broker, topic, now, faults);
    }
  }

  /**
   * After a crash nothing tells whether there was a gap before the last batch of a compacted log.
   */
  private boolean isBeyondTelling(String name, SweepCase damage) {
    HeldBatch last =
        batches.get(name).stream().max(Comparator.comparing(HeldBatch::first)).orElseThrow();
    return name.equals("compacted")
        && damage.stop() == SweepCase.Stop.UNCLEAN
        && damage.how() == SweepCase.How.FLIP
        && damage.file().equals(last.file)
        && damage.at() >= last.position
        && damage.at() < last.position + Long.BYTES;
  }

  /** Nothing in the file tells of such a cut. */
  private boolean isCutBetweenBatches(String name, SweepCase damage) {
    return damage.how() == SweepCase.How.CUT
        && batches.get(name).stream()
            .anyMatch(held -> held.file.equals(damage.file()) && held.position == damage.at());
  }

  private void checkCoordinated(Start start, List<String> faults) throws IOException {
    boolean isLog = SweepCase.kind(start.damage.file()).equals(".log");
    Map<String, String> now = CoordinatedState.of(start.broker, plain(start.broker));
    now.forEach(
        (name, said) -> {
          boolean isRight = said.equals(coordinated.get(name));
          boolean isOlder = isLog && mayBeSaid(name, said) && start.says("");
          if (!isRight && !isOlder) {
            faults.add(
                "%s has %s instead of %s, said: %s"
                    .formatted(name, said, coordinated.get(name), start.events));
          }
        });
  }

  /** Whether it was so once: where records are damaged, what they said is not known. */
  private boolean mayBeSaid(String name, String said) {
    if (said.equals(CoordinatedState.NOTHING) || !said.matches("[0-9]+|producer .*")) {
      return true;
    }
    if (CoordinatedState.GROUPS.contains(name)) {
      return IntStream.range(0, CoordinatedState.COMMITS)
          .anyMatch(i -> said.equals(Long.toString(CoordinatedState.offset(name, i))));
    }
    String last = coordinated.get(name);
    return said.startsWith(last.substring(0, last.lastIndexOf(' ')));
  }

  /** What comes next gets the next offset, and is there. */
  private static void checkAppend(
      TestBroker broker, Topic topic, ServedRecords now, List<String> faults) throws IOException {
    try (DataClient client = broker.dataClient()) {
      PartitionProduceResponse next = client.produce(topic, 0, SweptDirectory.next());
      boolean isThere = next.errorCode() == Errors.NONE.code() && next.baseOffset() == now.end();
      if (!isThere || !ServedRecords.of(broker, topic).all().containsKey(now.end())) {
        faults.add(
            "the next batch of %s is answered with %s and offset %d instead of %d"
                .formatted(
                    topic.name(), Errors.forCode(next.errorCode()), next.baseOffset(), now.end()));
      }
    }
  }

  /** What a topic serves, and what was written to it. */
  private record Two(String name, ServedRecords now, ServedRecords then) {}

  private static void checkHeld(HeldBatch held, Start start, Two topic, List<String> faults) {
    ServedRecords now = topic.now;
    ServedRecords then = topic.then;
    String name = topic.name;
    if (held.last() < now.start() && start.doubts(name, "begins at offset")) {
      return; // hidden, but not removed: whoever looks after it can have it back
    }
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
