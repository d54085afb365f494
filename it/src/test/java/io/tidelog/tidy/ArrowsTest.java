package io.tidelog.tidy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may use whom. Arrows point only downward. */
class ArrowsTest {
  private static final String ROOT = "io.tidelog.";

  /** The packages by level, the lowest first. A package may use those of lower levels. */
  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("disk", "record", "cli.terminal", "testkit.fuzz"),
          Set.of("record.compress", "checkpoint"),
          Set.of("segment", "producer", "testkit"),
          Set.of("log"),
          Set.of("recovery", "retention", "compaction"),
          Set.of("store", "explain", "verify"),
          Set.of("repair", "protocol", "topic"),
          Set.of("coordinator"),
          Set.of("handler"),
          Set.of("net"),
          Set.of("broker"),
          Set.of("cli.client", "cli.dump", "cli.verify"),
          Set.of("cli.explain", "cli.repair"),
          Set.of("cli"));

  private static final String[] WITHOUT_KAFKA = {
    "io.tidelog.disk..",
    "io.tidelog.record..",
    "io.tidelog.checkpoint..",
    "io.tidelog.segment..",
    "io.tidelog.producer..",
    "io.tidelog.log..",
    "io.tidelog.recovery..",
    "io.tidelog.retention..",
    "io.tidelog.verify..",
    "io.tidelog.compaction..",
    "io.tidelog.store..",
    "io.tidelog.explain..",
    "io.tidelog.repair..",
    "io.tidelog.testkit..",
    "io.tidelog.cli",
    "io.tidelog.cli.dump..",
    "io.tidelog.cli.terminal..",
    "io.tidelog.cli.verify.."
  };

  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tidelog");
  }

  private static String shortName(String packageName) {
    return packageName.substring(ROOT.length());
  }

  /** Which packages of ours each package uses. */
  private static Map<String, Set<String>> uses() {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : classes) {
      Set<String> used =
          uses.computeIfAbsent(shortName(type.getPackageName()), p -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (target.startsWith(ROOT) && !target.equals(type.getPackageName())) {
          used.add(shortName(target));
        }
      }
    }
    return uses;
  }

  private static int levelOf(String name) {
    for (int level = 0; level < LEVELS.size(); level++) {
      if (LEVELS.get(level).contains(name)) {
        return level;
      }
    }
    throw new AssertionError("package " + name + " has no level yet; give it one here");
  }

  @Test
  void packages_use_only_what_lies_below_them() {
    List<String> upward = new ArrayList<>();
    uses()
        .forEach(
            (name, used) ->
                used.stream()
                    .filter(target -> levelOf(target) >= levelOf(name))
                    .forEach(target -> upward.add(name + " uses " + target)));
    assertThat(upward).isEmpty();
  }

  @Test
  void what_a_package_says_that_it_uses_is_what_it_uses() {
    Project project = Project.find();
    Map<String, Set<String>> said = new TreeMap<>();
    for (Path info : project.files("package-info.java")) {
      String text = Project.read(info);
      String name = text.replaceFirst("(?s).*\\bpackage io\\.tidelog\\.([\\w.]+);.*", "$1");
      if (uses().containsKey(name)) {
        said.put(name, packagesIn(text));
      }
    }
    assertThat(said).isEqualTo(uses());
  }

  /** The names of our packages in the list that follows "Uses:", before any explanation. */
  private static Set<String> packagesIn(String packageInfo) {
    Matcher paragraph = Pattern.compile("(?s)<p>Uses: (.*?)\\.?\\n \\*\\n").matcher(packageInfo);
    Set<String> names = new TreeSet<>();
    if (paragraph.find()) {
      String list = paragraph.group(1).replaceAll("\\n \\*", " ").replaceAll("\\([^)]*\\)", "");
      for (String item : list.split(",| and ")) {
        String name = item.strip();
        if (LEVELS.stream().anyMatch(level -> level.contains(name))) {
          names.add(name);
        }
      }
    }
    return names;
  }

  @Test
  void the_engine_and_the_tools_for_its_files_know_no_kafka() {
    noClasses()
        .that()
        .resideInAnyPackage(WITHOUT_KAFKA)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(classes);
  }

  @Test
  void only_the_coordinator_knows_kafkas_coordinators() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.tidelog.coordinator..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka.coordinator..")
        .check(classes);
  }

  @Test
  void only_the_disk_opens_files() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.tidelog.disk..", "io.tidelog.cli..", "io.tidelog.testkit.fuzz..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "open files",
                type ->
                    Set.of(
                            "java.nio.file.Files",
                            "java.nio.channels.FileChannel",
                            "java.io.File",
                            "java.io.FileInputStream",
                            "java.io.FileOutputStream",
                            "java.io.RandomAccessFile")
                        .contains(type.getName())))
        .check(classes);
  }

  @Test
  void only_those_who_start_something_name_the_system_clock() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.tidelog.broker.Broker")
        .and()
        .doNotHaveFullyQualifiedName("io.tidelog.store.LogStore")
        .and()
        .doNotHaveFullyQualifiedName("io.tidelog.cli.Program")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.InstantSource.class, "system")
        .orShould()
        .callMethod(java.time.Clock.class, "systemUTC")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .check(classes);
  }

  @Test
  void nobody_ends_the_process_but_a_program() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.tidelog.cli..", "io.tidelog.testkit.fuzz..")
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(classes);
  }

  @Test
  void no_module_prints_but_the_program() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.tidelog.cli..", "io.tidelog.testkit..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(classes);
  }
}
