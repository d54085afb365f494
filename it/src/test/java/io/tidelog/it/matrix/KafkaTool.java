package io.tidelog.it.matrix;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.internals.Exit;

/** One of Kafka's command-line tools, run by its main method. */
final class KafkaTool {
  private final String mainClass;
  private final List<String> arguments;
  private String input = "";
  private Integer endedWith;

  private KafkaTool(String mainClass, List<String> arguments) {
    this.mainClass = mainClass;
    this.arguments = arguments;
  }

  static KafkaTool of(String mainClass, String... arguments) {
    return new KafkaTool("org.apache.kafka.tools." + mainClass, List.of(arguments));
  }

  /** With a command, and what belongs to it, after the options. */
  KafkaTool followedBy(String... command) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(command));
    return new KafkaTool(mainClass, all);
  }

  KafkaTool reading(String text) {
    input = text;
    return this;
  }

  /** Runs it here to its end, which must be one with code 0; answers what it printed. */
  String run() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    List<Runnable> hooks = new ArrayList<>();
    PrintStream standardOutput = System.out;
    InputStream standardInput = System.in;
    Exit.setExitProcedure(this::end);
    Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      runMain();
      hooks.forEach(Runnable::run);
    } finally {
      System.setOut(standardOutput);
      System.setIn(standardInput);
      Exit.resetExitProcedure();
      Exit.resetShutdownHookAdder();
    }
    return checked(endedWith == null ? 0 : endedWith, printed.toString(StandardCharsets.UTF_8));
  }

  /**
   * As {@link #run}, in a process of its own: for a tool that says its last word at the JVM's end.
   */
  String runApart() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return checked(process.waitFor(), text);
  }

  private String checked(int code, String printed) {
    JavaClient.check(code == 0, mainClass + arguments + " ends with 0", code + "\n" + printed);
    return printed;
  }

  private void runMain() throws Exception {
    try {
      Class.forName(mainClass)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments.toArray(String[]::new));
    } catch (InvocationTargetException e) {
      if (!(e.getCause() instanceof Ended)) {
        throw e;
      }
    }
  }

  /** What the tool asks for first counts: some catch what ends them here, and ask again. */
  private void end(int code, String message) {
    if (endedWith == null) {
      endedWith = code;
    }
    throw new Ended(message);
  }

  /** Leaves a tool that asked for the end of its process. */
  private static final class Ended extends Error {
    Ended(String message) {
      super(message);
    }
  }
}
