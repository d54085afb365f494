package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Kafka left is sound, however it was stopped; harm that is done to it by hand is named with
 * its place, and what a repair leaves, both brokers serve to the last record that is there.
 */
class VerifyKafkaIT {
  private static final Map<String, String> SETTINGS = settings();
  private static final List<String> SIMPLE =
      List.of(
          "header-flipped",
          "middle-flipped",
          "tail-cut",
          "index-past-end",
          "times-zeroed",
          "snapshot-missing",
          "snapshot-flipped",
          "start-past-end",
          "recovery-past-end",
          "watermark-past-end",
          "epochs-flipped",
          "id-flipped",
          "untouched");
  private static final List<String> WITHOUT_END = List.of("tail-cut", "recovery-past-end");

  @TempDir static Path directory;

  private static KafkasDirectory clean;
  private static Served left;

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(KafkaProcess.quick());
    settings.put("log.retention.check.interval.ms", "300");
    settings.put("log.segment.delete.delay.ms", "0");
    return settings;
  }

  @BeforeAll
  static void haveKafkaWriteADirectory() throws Exception {
    Path data = directory.resolve("kafkas/data");
    Files.createDirectories(data.getParent());
    KafkaProcess.format(data, SETTINGS);
    try (KafkaProcess kafka = KafkaProcess.start(data, SETTINGS)) {
      new KafkaAtWork(kafka.bootstrap(), data).fill(SIMPLE);
      left = served(kafka.bootstrap());
      kafka.stop();
    }
    clean = new KafkasDirectory(data);
  }

  private static Served served(String bootstrap) throws Exception {
    return Served.by(bootstrap, List.of(0L), List.of("readers"));
  }

  @Test
  void after_a_clean_stop_there_is_nothing_to_say() {
    for (List<Told> told : List.of(Told.by(clean.data()), Told.by(clean.data(), "--deep"))) {
      assertThat(told)
          .allMatch(one -> one.equals(new Told("note", "not-checked", "bootstrap.checkpoint", 0)));
    }
  }

  @Test
  void after_a_kill_there_is_nothing_that_the_next_start_does_not_mend() throws Exception {
    KafkasDirectory killed = clean.copyTo(directory.resolve("killed/data"));
    try (KafkaProcess kafka = KafkaProcess.start(killed.data(), SETTINGS)) {
      KafkaAtWork work = new KafkaAtWork(kafka.bootstrap(), killed.data());
      work.send("untouched", 500);
      Transactions.endTwo(kafka.bootstrap());
      assertThat(Told.by(killed.data(), "--deep")).noneMatch(Told::isHarmful);
      kafka.kill();
    }
    assertThat(Told.by(killed.data(), "--deep")).noneMatch(Told::isHarmful);
  }

  @Test
  void an_identity_that_cannot_be_read_is_named() throws Exception {
    KafkasDirectory damaged = clean.copyTo(directory.resolve("identity/data"));
    Path file = damaged.data().resolve("meta.properties");
    Files.writeString(file, Files.readString(file).replace("node.id=1", "node.id=x"));

    assertThat(Told.by(damaged.data()))
        .contains(new Told("damage", "identity-unreadable", "meta.properties", 0));
  }

  @Test
  void harm_is_named_and_what_a_repair_leaves_is_served_by_both() throws Exception {
    KafkasDirectory damaged = clean.copyTo(directory.resolve("damaged/data"));
    List<Told> harm = harm(damaged);

    assertThat(Told.by(damaged.data()).stream().filter(Told::isHarmful))
        .containsExactlyInAnyOrderElementsOf(harm);
    Told.Ended repaired = Told.run("repair", damaged.data().toString(), "--apply");
    assertThat(repaired.code()).as(repaired.output()).isZero();
    assertThat(Told.by(damaged.data(), "--deep").stream().filter(Told::isHarmful)).isEmpty();

    KafkasDirectory again = damaged.copyTo(directory.resolve("again/data"));
    Map<String, List<String>> held = held();
    try (BrokerProcess tidelog = BrokerProcess.start(BrokerProcess.Options.of(damaged.data()))) {
      assertHolds(tidelog.bootstrap(), damaged, held);
      assertThat(tidelog.stop()).isZero();
    }
    try (KafkaProcess kafka = KafkaProcess.start(again.data(), SETTINGS)) {
      assertHolds(kafka.bootstrap(), again, held);
      kafka.stop();
    }
  }

  /** Damages one file of each topic, and says what is to be found. */
  private static List<Told> harm(KafkasDirectory files) throws Exception {
    List<Told> harm = new ArrayList<>();
    List<Integer> batches = files.batches("header-flipped");
    files.flip(files.file("header-flipped", ".log"), batches.get(20) + 30);
    harm.add(told(files, "damage batch-damaged", "header-flipped", ".log", batches.get(20)));

    batches = files.batches("middle-flipped");
    files.flip(files.file("middle-flipped", ".log"), batches.get(21) - 3);
    harm.add(told(files, "damage batch-damaged", "middle-flipped", ".log", batches.get(20)));

    batches = files.batches("tail-cut");
    files.cut(files.file("tail-cut", ".log"), batches.get(KafkaAtWork.RECORDS) - 5);
    harm.add(
        told(
            files,
            "damage batch-damaged",
            "tail-cut",
            ".log",
            batches.get(KafkaAtWork.RECORDS - 1)));

    Path index = files.file("index-past-end", ".index");
    harm.add(
        told(files, "damage index-wrong", "index-past-end", ".index", (int) Files.size(index)));
    files.append(index, ByteBuffer.allocate(8).putInt(1000).putInt(1_000_000).array());

    files.zero(files.file("times-zeroed", ".timeindex"));
    harm.add(told(files, "warning time-index-incomplete", "times-zeroed", ".timeindex", 0));

    files.cut(files.file("transacted", ".txnindex"), 0);
    harm.add(told(files, "damage txn-index-wrong", "transacted", ".txnindex", 0));

    Files.delete(files.file("snapshot-missing", ".snapshot"));
    harm.add(new Told("warning", "snapshot-missing", "snapshot-missing-0", 0));
    files.flip(files.file("snapshot-flipped", ".snapshot"), 20);
    harm.add(told(files, "warning snapshot-damaged", "snapshot-flipped", ".snapshot", 0));

    files.flip(files.file("epochs-flipped", "leader-epoch-checkpoint"), 0);
    harm.add(
        told(files, "warning epochs-unreadable", "epochs-flipped", "leader-epoch-checkpoint", 0));
    files.flip(files.file("id-flipped", "partition.metadata"), 0);
    harm.add(told(files, "damage topic-id-unreadable", "id-flipped", "partition.metadata", 0));

    files.set("log-start-offset-checkpoint", "start-past-end", 1_000);
    harm.add(new Told("damage", "start-past-end", "log-start-offset-checkpoint", 0));
    files.set("recovery-point-offset-checkpoint", "recovery-past-end", 1_000);
    harm.add(told(files, "damage end-missing", "recovery-past-end", ".log", 0));
    files.set("replication-offset-checkpoint", "watermark-past-end", 1_000);
    harm.add(new Told("warning", "offset-past-end", "replication-offset-checkpoint", 0));
    return harm;
  }

  private static Told told(
      KafkasDirectory files, String what, String topic, String suffix, int position)
      throws Exception {
    String file = files.data().relativize(files.file(topic, suffix)).toString();
    return new Told(what.split(" ")[0], what.split(" ")[1], file, position);
  }

  /** What is in the logs still: all but three batches of one record. */
  private static Map<String, List<String>> held() {
    Map<String, List<String>> held = new HashMap<>(left.records());
    lose(held, "header-flipped-0", 20);
    lose(held, "middle-flipped-0", 20);
    lose(held, "tail-cut-0", KafkaAtWork.RECORDS - 1);
    return held;
  }

  private static void lose(Map<String, List<String>> held, String partition, int offset) {
    List<String> lines = new ArrayList<>(held.get(partition));
    assertThat(lines.remove(offset)).startsWith(offset + " ");
    held.put(partition, lines);
  }

  /** A record more lets readers step over the offsets that no record has any more. */
  private static void assertHolds(
      String bootstrap, KafkasDirectory files, Map<String, List<String>> held) throws Exception {
    KafkaAtWork work = new KafkaAtWork(bootstrap, files.data());
    for (String topic : WITHOUT_END) {
      work.send(topic, 1);
    }
    Served served = served(bootstrap);
    assertThat(served.topics()).isEqualTo(left.topics());
    assertThat(served.records().keySet()).isEqualTo(held.keySet());
    held.forEach(
        (partition, lines) ->
            assertThat(served.records().get(partition).stream().limit(lines.size()).toList())
                .as(partition)
                .isEqualTo(lines));
    assertThat(served.records().values().stream().mapToInt(List::size).sum())
        .isEqualTo(held.values().stream().mapToInt(List::size).sum() + WITHOUT_END.size());
    assertThat(served.committed().get("transacted-0"))
        .isEqualTo(left.committed().get("transacted-0"));
    assertThat(served.groups()).isEqualTo(left.groups());
  }
}
