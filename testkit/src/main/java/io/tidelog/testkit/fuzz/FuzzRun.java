package io.tidelog.testkit.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Has Jazzer fuzz one target, in a process of its own with this one's class path.
 *
 * <pre>
 *  fuzz CLASS INPUTS FOLDER SECONDS     looks for inputs that break the claim; what it finds is added to
 *                                       INPUTS, the target's resource in the sources
 *  keep CLASS INPUTS FOLDER             adds to INPUTS what earlier runs left in FOLDER and reaches code
 *                                       that no input in INPUTS reaches
 *  canary CLASS INPUTS FOLDER SECONDS   the claim is false: fails unless that is found out
 * </pre>
 *
 * <p>FOLDER holds the inputs that reached new code, from run to run, and Jazzer's log. Exit codes:
 * 0 the claim holds, 1 it does not, 3 Jazzer could not work.
 */
public final class FuzzRun {
  private static final int MAX_INPUT_BYTES = 4096;
  private static final int TIMEOUT_SECONDS = 120;
  private static final int HEAP_MIB = 768;
  private static final int DIRECT_MIB = 256;
  private static final int PROCESS_MIB = 2048;
  private static final Pattern EXECUTED =
      Pattern.compile("stat::number_of_executed_units:\\s+(\\d+)");
  private static final Pattern COVERED = Pattern.compile("cov: (\\d+)");
  private static final Pattern THROWN = Pattern.compile("(?m)^== Java Exception: (.*)$");

  private final String className;
  private final FuzzTarget target;
  private final Path folder;
  private final Path seeds;
  private final Path corpus;
  private final Path found;
  private final Path log;

  private FuzzRun(String className, Path folder) throws Exception {
    this.className = className;
    this.target = FuzzEntry.make(className);
    this.folder = folder.toAbsolutePath();
    this.seeds = this.folder.resolve("seeds");
    this.corpus = this.folder.resolve("corpus");
    this.found = this.folder.resolve("found");
    this.log = this.folder.resolve("log");
  }

  /** The program. */
  public static void main(String[] arguments) throws Exception {
    FuzzRun run = new FuzzRun(arguments[1], Path.of(arguments[3]));
    System.exit(
        switch (arguments[0]) {
          case "fuzz" -> run.fuzz(Path.of(arguments[2]), arguments[4]);
          case "keep" -> run.keep(Path.of(arguments[2]));
          case "canary" -> run.canary(arguments[4]);
          default -> throw new IllegalArgumentException(arguments[0]);
        });
  }

  private int fuzz(Path inputs, String seconds) throws Exception {
    prepare();
    int status = jazzer(fuzzing(seconds));
    String output = Files.readString(log, StandardCharsets.ISO_8859_1);
    List<Path> findings = files(found);
    report(output, findings.size());
    Set<String> known = new HashSet<>(lines(inputs));
    for (Path finding : findings) {
      byte[] input = Files.readAllBytes(finding);
      if (known.add(KnownInputs.encode(input))) {
        add(inputs, Optional.of(headline(output, finding)), input);
      }
    }
    if (!findings.isEmpty()) {
      say("%s: added to %s; log in %s".formatted(shortName(), inputs, log));
      return 1;
    }
    if (status != 0) {
      say("%s: Jazzer ended with code %d; its log is %s".formatted(shortName(), status, log));
      return 3;
    }
    return 0;
  }

  private int keep(Path inputs) throws Exception {
    prepare();
    Set<String> known = names(seeds);
    int status = jazzer(List.of("-merge=1", seeds.toString(), corpus.toString()));
    if (status != 0) {
      say("%s: Jazzer ended with code %d; its log is %s".formatted(shortName(), status, log));
      return 3;
    }
    List<Path> added = files(seeds).stream().filter(file -> !known.contains(name(file))).toList();
    for (Path input : added) {
      add(inputs, Optional.empty(), Files.readAllBytes(input));
    }
    say("%s: %d inputs added to %s".formatted(shortName(), added.size(), inputs));
    return 0;
  }

  private int canary(String seconds) throws Exception {
    prepare();
    jazzer(fuzzing(seconds));
    if (files(found).isEmpty()) {
      say(
          "%s was not found out in %s s: the fuzzer is blind; its log is %s"
              .formatted(shortName(), seconds, log));
      return 3;
    }
    return 0;
  }

  private void prepare() throws Exception {
    for (Path used : List.of(seeds, corpus, found)) {
      Files.createDirectories(used);
    }
    for (Path old : Stream.concat(files(seeds).stream(), files(found).stream()).toList()) {
      Files.delete(old);
    }
    int number = 0;
    for (KnownInputs.Known input : KnownInputs.of(target)) {
      Files.write(seeds.resolve("known-" + number++), input.bytes());
    }
  }

  private List<String> fuzzing(String seconds) {
    return List.of(
        "-max_total_time=" + seconds,
        "-artifact_prefix=" + found + "/",
        "-timeout=" + TIMEOUT_SECONDS,
        "-print_final_stats=1",
        corpus.toString(),
        seeds.toString());
  }

  private int jazzer(List<String> libFuzzerArguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + HEAP_MIB + "m");
    command.add("-XX:MaxDirectMemorySize=" + DIRECT_MIB + "m");
    command.add("-D" + FuzzEntry.TARGET_PROPERTY + "=" + className);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + FuzzEntry.class.getName());
    command.add("--instrumentation_includes=" + String.join(":", target.guidedBy()));
    // Inputs are the bytes as they are, and nothing looks for faults of other kinds than ours.
    command.add("--mutator_framework=false");
    command.add("--custom_hook_excludes=**");
    command.add("--reproducer_path=" + folder);
    command.add("-max_len=" + MAX_INPUT_BYTES);
    command.add("-rss_limit_mb=" + PROCESS_MIB);
    command.addAll(libFuzzerArguments);
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
  }

  private void report(String output, int findings) {
    say(
        "%-28s %,12d executions, %,6d branches, %d findings"
            .formatted(
                shortName(), lastNumber(EXECUTED, output), lastNumber(COVERED, output), findings));
  }

  private static long lastNumber(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .mapToLong(result -> Long.parseLong(result.group(1)))
        .reduce((earlier, later) -> later)
        .orElse(0);
  }

  /** What an input did, on one line. */
  private static String headline(String output, Path finding) {
    String kind = name(finding).replaceFirst("-[0-9a-f]+$", "");
    Matcher thrown = THROWN.matcher(output);
    return thrown.find() ? thrown.group(1).strip() : kind;
  }

  private static void add(Path inputs, Optional<String> comment, byte[] input) throws IOException {
    String line = KnownInputs.encode(input) + "\n";
    Files.createDirectories(inputs.toAbsolutePath().getParent());
    Files.writeString(
        inputs,
        comment.map(text -> "# " + text + "\n" + line).orElse(line),
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> names(Path directory) {
    return new HashSet<>(files(directory).stream().map(FuzzRun::name).toList());
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private String shortName() {
    return Arrays.asList(className.split("\\.")).get(className.split("\\.").length - 1);
  }

  private static void say(String sentence) {
    System.out.println(sentence);
  }
}
