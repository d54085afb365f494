package io.tidelog.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.tidy.Sources.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The shape of the code by number. Where a limit is broken today the place is listed with its
 * number; such a list may only get shorter, and its numbers smaller.
 */
class SourcesAreTidyTest {
  private static final int MOST_LINES = 400;
  private static final int MOST_METHOD_LINES = 60;
  private static final int MOST_PARAMETERS = 5;

  private static final Map<String, Integer> LONG_FILES = Map.of();
  private static final Map<String, Integer> LONG_METHODS = Map.of();
  private static final Map<String, Integer> MANY_PARAMETERS =
      Map.of("storage/src/main/java/io/tidelog/log/LogView.java <init>", 6);

  /** It reads as the sentence that it checks. */
  private static final String CHECK =
      "storage/src/main/java/io/tidelog/log/BrokenInvariant.java check";

  private static Project project;
  private static List<Source> sources;
  private static List<Source> mainSources;
  private static List<Shapes> shapes;

  @BeforeAll
  static void parse() {
    project = Project.find();
    sources = Sources.parse(project.files(".java"));
    mainSources = sources.stream().filter(SourcesAreTidyTest::isMain).toList();
    shapes = sources.stream().map(source -> Shapes.of(project, source)).toList();
  }

  private static boolean isMain(Source source) {
    return project.nameOf(source.file()).contains("/src/main/");
  }

  private static Stream<Shapes> mainShapes() {
    return mainSources.stream().map(source -> Shapes.of(project, source));
  }

  /** Whatever is above the limit must be listed, with at least this number, and nothing else. */
  private static void assertWithin(
      Map<String, Integer> found, int limit, Map<String, Integer> listed) {
    Map<String, Integer> above = new TreeMap<>(found);
    above.values().removeIf(number -> number <= limit);
    assertThat(above.keySet()).as("above the limit of %d", limit).isEqualTo(listed.keySet());
    above.forEach(
        (place, number) -> assertThat(number).as(place).isLessThanOrEqualTo(listed.get(place)));
  }

  /** A place without its line number, which moves. */
  private static String unnumbered(String place) {
    return place.replaceFirst(":[0-9]+ ", " ");
  }

  @Test
  void files_are_at_most_400_lines_long() {
    Map<String, Integer> lines = new TreeMap<>();
    for (Source source : sources) {
      int count = (int) Project.read(source.file()).lines().count();
      lines.put(project.nameOf(source.file()), count);
    }
    assertThat(lines).hasSizeGreaterThan(100);
    assertWithin(lines, MOST_LINES, LONG_FILES);
  }

  @Test
  void methods_are_at_most_60_lines_long() {
    Map<String, Integer> lines = new TreeMap<>();
    shapes.stream()
        .flatMap(shape -> shape.methods().stream())
        .forEach(
            method -> lines.merge(unnumbered(method.place()), (int) method.lines(), Math::max));
    assertWithin(lines, MOST_METHOD_LINES, LONG_METHODS);
  }

  @Test
  void methods_have_at_most_5_parameters() {
    Map<String, Integer> parameters = new TreeMap<>();
    shapes.stream()
        .flatMap(shape -> shape.methods().stream())
        .forEach(
            method -> parameters.merge(unnumbered(method.place()), method.parameters(), Math::max));
    assertWithin(parameters, MOST_PARAMETERS, MANY_PARAMETERS);
  }

  @Test
  void no_method_that_others_call_takes_a_boolean() {
    List<String> found =
        mainShapes()
            .flatMap(shape -> shape.methods().stream())
            .filter(Shapes.Method::hasFlag)
            .map(method -> unnumbered(method.place()))
            .filter(place -> !place.equals(CHECK))
            .toList();
    assertThat(found).isEmpty();
  }

  @Test
  void every_public_type_says_what_it_is() {
    List<String> found =
        mainShapes()
            .flatMap(shape -> shape.types().stream())
            .filter(type -> type.isOpen() && !type.isDocumented())
            .map(Shapes.Type::place)
            .toList();
    assertThat(found).isEmpty();
  }

  @Test
  void no_type_is_called_utils_manager_or_impl() {
    List<String> found =
        shapes.stream()
            .flatMap(shape -> shape.types().stream())
            .filter(type -> type.name().matches(".*(Utils?|Manager|Impl|Helper)"))
            .map(Shapes.Type::place)
            .toList();
    assertThat(found).isEmpty();
  }

  @Test
  void every_package_says_job_start_uses_and_threads() {
    List<String> found = new ArrayList<>();
    for (Source source : mainSources) {
      Path info = source.file().resolveSibling("package-info.java");
      if (!Files.exists(info)) {
        found.add(project.nameOf(info) + " is missing");
      } else if (!Project.read(info)
          .matches(
              "(?s).*\\* Job: .*\\* <p>Start reading at: .*\\* <p>Uses: .*\\* <p>Threads: .*")) {
        found.add(project.nameOf(info) + " lacks one of Job, Start reading at, Uses, Threads");
      }
    }
    assertThat(found.stream().distinct()).isEmpty();
  }

  @Test
  void nothing_is_left_to_do_later() {
    // Written so that this file does not contain what it looks for.
    assertNowhere(project.texts(), "\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    assertNowhere(project.files(".java"), "@Dis" + "abled");
  }

  @Test
  void no_test_waits_for_a_time_to_pass() {
    assertNowhere(project.files(".java"), "Thread\\.sl" + "eep|TimeUnit\\.[A-Z]+\\.sl" + "eep");
  }

  @Test
  void no_text_has_tabs_or_blanks_at_the_end_of_a_line() {
    assertNowhere(project.texts(), "\\t|[ \\t]+$");
  }

  @Test
  void no_text_names_a_directory_of_one_machine() {
    assertNowhere(project.texts(), "(?<![\\w.])/(work|root|ho" + "me)/\\w");
  }

  private static void assertNowhere(List<Path> files, String regex) {
    Pattern pattern = Pattern.compile(regex);
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      List<String> lines = Project.read(file).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        if (pattern.matcher(lines.get(i)).find()) {
          found.add(project.nameOf(file) + ":" + (i + 1) + " " + lines.get(i).strip());
        }
      }
    }
    assertThat(found).as(regex).isEmpty();
  }
}
