package io.tidelog.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.terminal.ExitCode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What documents say about the project is looked up in the project. */
class DocsAreTrueTest {
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final int SHORTEST_FRAGMENT = 6;

  private final Project project = Project.find();

  @Test
  void every_link_to_a_file_leads_to_one() {
    List<String> dead = new ArrayList<>();
    for (Path document : project.files(".md")) {
      Matcher link = LINK.matcher(Project.read(document));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
          dead.add(project.nameOf(document) + " → " + target);
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void every_document_is_reached_from_the_readme() {
    Set<Path> reached = new TreeSet<>();
    reach(project.file("README.md"), reached);
    assertThat(project.files(".md"))
        .filteredOn(file -> !project.nameOf(file).equals("CHANGELOG.md"))
        .allSatisfy(file -> assertThat(reached).contains(file));
  }

  private void reach(Path document, Set<Path> reached) {
    if (!reached.add(document)) {
      return;
    }
    Matcher link = LINK.matcher(Project.read(document));
    while (link.find()) {
      Path target = document.resolveSibling(link.group(1)).normalize();
      if (Files.isDirectory(target)) {
        project.files(".md").stream()
            .filter(file -> file.startsWith(target))
            .forEach(file -> reach(file, reached));
      } else if (target.toString().endsWith(".md") && Files.exists(target)) {
        reach(target, reached);
      }
    }
  }

  @Test
  void the_exit_codes_are_those_of_the_program() throws IllegalAccessException {
    List<String> codes = new ArrayList<>();
    for (Field field : ExitCode.class.getDeclaredFields()) {
      codes.add(Integer.toString(field.getInt(null)));
    }
    Matcher row =
        Pattern.compile("(?m)^\\| ([0-9]+) \\| ")
            .matcher(Project.read(project.file("docs/operations.md")));
    assertThat(row.results().map(found -> found.group(1))).containsExactlyElementsOf(codes);
  }

  @Test
  void the_verbs_of_dev_are_those_that_it_lists() {
    assertThat(verbs("CONTRIBUTING.md")).isEqualTo(verbs("dev"));
  }

  private Set<String> verbs(String file) {
    return Pattern.compile("(?m)^\\./dev ([a-z]+)")
        .matcher(Project.read(project.file(file)))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void messages_that_are_explained_exist() throws IOException {
    String said = String.join("\n", Messages.in(mainSources()));
    List<String> unknown = new ArrayList<>();
    for (String line : Project.read(project.file("docs/errors.md")).lines().toList()) {
      if (line.startsWith("| `")) {
        for (String fragment : fragments(line)) {
          if (!said.contains(fragment)) {
            unknown.add(fragment);
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** The fixed parts of the message in the first column; N, A and B stand for numbers. */
  private static List<String> fragments(String row) {
    Matcher message = CODE.matcher(row);
    List<String> fragments = new ArrayList<>();
    if (message.find()) {
      for (String part : message.group(1).split("…|:( |$)|\\b[NAB]\\b")) {
        if (part.strip().length() >= SHORTEST_FRAGMENT) {
          fragments.add(part.strip());
        }
      }
    }
    return fragments;
  }

  private List<Sources.Source> mainSources() {
    return Sources.parse(
        project.files(".java").stream()
            .filter(file -> project.nameOf(file).contains("/src/main/"))
            .toList());
  }

  @Test
  void a_class_that_a_document_names_exists() {
    Set<String> known =
        Sources.parse(project.files(".java")).stream()
            .flatMap(source -> Shapes.of(project, source).types().stream())
            .map(Shapes.Type::name)
            .collect(Collectors.toSet());
    List<String> unknown = new ArrayList<>();
    for (Path document : project.files(".md")) {
      Matcher code = CODE.matcher(Project.read(document));
      while (code.find()) {
        Matcher name =
            Pattern.compile("([A-Z][a-z]+(?:[A-Z][a-z]+)+)(\\.[a-zA-Z]+)?").matcher(code.group(1));
        if (name.matches() && !known.contains(name.group(1)) && !isKafkas(name.group(1))) {
          unknown.add(project.nameOf(document) + ": " + name.group(1));
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** Classes of Kafka and of the JDK that documents may name. */
  private static boolean isKafkas(String name) {
    return Set.of("FileChannel", "DumpLogSegments").contains(name);
  }
}
