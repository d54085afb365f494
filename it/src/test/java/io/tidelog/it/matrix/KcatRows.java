package io.tidelog.it.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** kcat, the command line of librdkafka, through its rows; the arguments are those of JavaRows. */
public final class KcatRows {
  private static final Pattern VERSION =
      Pattern.compile("Version (\\S+) .*(librdkafka \\S+) ", Pattern.DOTALL);
  private static final int LINES = 60;

  private final JavaClient names;
  private final Path folder;

  private KcatRows(JavaClient names, Path folder) {
    this.names = names;
    this.folder = folder;
  }

  /** Goes through the rows that are asked for. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[2]).getParent(), "kcat");
    KcatRows kcat = new KcatRows(new JavaClient(args[0], args[1]), folder);
    kcat.sayVersion();
    Map<String, JavaRows.Row> rows = kcat.rows();
    for (String row : Arrays.copyOfRange(args, 3, args.length)) {
      rows.get(row).pass();
      System.out.println("ok " + row);
    }
  }

  private Map<String, JavaRows.Row> rows() {
    Map<String, JavaRows.Row> rows = new TreeMap<>();
    for (String codec : Script.CODECS) {
      rows.put("produce-" + codec, () -> produce(codec));
    }
    rows.put("metadata", this::metadata);
    rows.put("tombstones", this::tombstones);
    rows.put("seek-by-time", this::seekByTime);
    rows.put("group", this::group);
    rows.put("transactions", this::transactions);
    return rows;
  }

  private void sayVersion() throws IOException, InterruptedException {
    Matcher version = VERSION.matcher(kcat(List.of(), "-V"));
    JavaClient.check(version.find(), "kcat says its version", version);
    System.out.println("client kcat " + version.group(1) + ", " + version.group(2));
  }

  private void metadata() throws Exception {
    String topic = names.createTopic("metadata", 3);
    String said = kcat(List.of(), "-L", "-t", topic);
    JavaClient.check(
        said.contains("broker 1 at " + names.bootstrap() + " (controller)"), "the broker", said);
    JavaClient.check(said.contains("topic \"" + topic + "\" with 3 partitions"), "topic", said);
    JavaClient.check(
        said.contains("partition 2, leader 1, replicas: 1, isrs: 1"), "partition", said);
  }

  private void produce(String codec) throws IOException, InterruptedException {
    List<String> lines =
        IntStream.range(0, LINES)
            .mapToObj(i -> "key " + i + ":" + ("value " + i + " ßø€ ").repeat(5))
            .toList();
    String topic = names.name(codec);
    kcat(
        lines,
        "-P",
        "-t",
        topic,
        "-K:",
        "-z",
        codec,
        "-X",
        "linger.ms=500",
        "-H",
        "number=7",
        "-H",
        "text=héader");
    String read = kcat(List.of(), "-C", "-t", topic, "-e", "-q", "-f", "%o %h %k:%s\n");
    List<String> expected =
        IntStream.range(0, LINES)
            .mapToObj(i -> i + " number=7,text=héader " + lines.get(i))
            .toList();
    JavaClient.checkEqual(read.lines().toList(), expected);
  }

  private void tombstones() throws IOException, InterruptedException {
    String topic = names.name("tombstones");
    kcat(List.of("k:v", "k:"), "-P", "-t", topic, "-K:", "-Z");
    String read = kcat(List.of(), "-C", "-t", topic, "-e", "-q", "-f", "%k %S\n");
    JavaClient.checkEqual(read.lines().toList(), List.of("k 1", "k -1"));
  }

  private void seekByTime() throws Exception {
    String topic = names.createTopic("time", 1);
    for (int i = 0; i < 5; i++) {
      kcat(List.of("value " + i), "-P", "-t", topic);
    }
    List<String> times =
        kcat(List.of(), "-C", "-t", topic, "-e", "-q", "-f", "%T\n").lines().toList();
    String third = times.get(3);
    JavaClient.checkEqual(
        kcat(List.of(), "-Q", "-t", topic + ":0:" + third).strip(),
        topic + " [0] offset " + times.indexOf(third));
    String read = kcat(List.of(), "-C", "-t", topic, "-o", "s@" + third, "-e", "-q", "-f", "%s\n");
    List<String> expected =
        IntStream.range(times.indexOf(third), 5).mapToObj(i -> "value " + i).toList();
    JavaClient.checkEqual(read.lines().toList(), expected);
  }

  /** One transaction; kcat aborts only when it is interrupted. */
  private void transactions() throws IOException, InterruptedException {
    String topic = names.name("transactions");
    List<String> lines = IntStream.range(0, LINES).mapToObj(Integer::toString).toList();
    kcat(lines, "-P", "-t", topic, "-X", "transactional.id=" + topic);
    String read =
        kcat(
            List.of(),
            "-C",
            "-t",
            topic,
            "-e",
            "-q",
            "-X",
            "isolation.level=read_committed",
            "-f",
            "%s\n");
    JavaClient.checkEqual(read.lines().toList(), lines);
  }

  /** A second member joins and leaves; every record is read once. */
  private void group() throws Exception {
    String topic = names.createTopic("group", 4);
    try (KcatMember first = KcatMember.join(names, topic, folder.resolve("first"))) {
      JavaClient.await("the first has all", () -> first.owned() == 4);
      sendRound(topic, 0);
      JavaClient.await("the first reads all", () -> first.values().size() == 40);
      List<String> read;
      try (KcatMember second = KcatMember.join(names, topic, folder.resolve("second"))) {
        JavaClient.await("each has half", () -> first.owned() == 2 && second.owned() == 2);
        sendRound(topic, 1);
        JavaClient.await("both read", () -> first.values().size() + second.values().size() == 80);
        JavaClient.checkEqual(second.values().size(), 20);
        second.leave();
        read = new ArrayList<>(second.values());
      }
      JavaClient.await("the first has all again", () -> first.owned() == 4);
      sendRound(topic, 2);
      JavaClient.await("the first reads on", () -> first.values().size() == 100);
      first.leave();
      read.addAll(first.values());
      JavaClient.checkEqual(
          read.stream().map(Integer::valueOf).sorted().toList(),
          IntStream.range(0, 120).boxed().toList());
    }
  }

  private void sendRound(String topic, int round) throws IOException, InterruptedException {
    for (int partition = 0; partition < 4; partition++) {
      int first = round * 40 + partition * 10;
      List<String> lines = IntStream.range(first, first + 10).mapToObj(Integer::toString).toList();
      kcat(lines, "-P", "-t", topic, "-p", Integer.toString(partition));
    }
  }

  /** Runs kcat to its end with lines as its input; answers what it said. */
  private String kcat(List<String> input, String... arguments)
      throws IOException, InterruptedException {
    Path in = Files.write(folder.resolve("in"), input);
    Path out = folder.resolve("out");
    List<String> command = new ArrayList<>(List.of("kcat", "-b", names.bootstrap()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = process.waitFor();
    JavaClient.check(code == 0, command + " ends with 0", code + "\n" + Files.readString(out));
    return Files.readString(out);
  }
}
