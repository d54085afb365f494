package io.tidelog.verify;

import io.tidelog.segment.CorruptLogException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers findings. Of one kind in one file it keeps the first, and counts the others, so that a
 * file full of garbage costs no memory. That a file cannot be read is told once, whoever finds it.
 * For one thread.
 */
final class FindingList {
  /** So many of a kind are told one by one. */
  static final int MOST_OF_A_KIND = 100;

  private final List<Finding> findings = new ArrayList<>();
  private final Map<Group, Omitted> groups = new HashMap<>();

  private record Group(Path file, FindingKind kind) {}

  private static final class Omitted {
    private int told;
    private long omitted;
    private long position;
  }

  void add(Finding finding) {
    Omitted group =
        groups.computeIfAbsent(new Group(finding.file(), finding.kind()), first -> new Omitted());
    if (finding.kind() == FindingKind.UNREADABLE && group.told > 0) {
      return;
    }
    if (group.told < MOST_OF_A_KIND) {
      group.told++;
      findings.add(finding);
      return;
    }
    if (group.omitted == 0) {
      group.position = finding.position();
    }
    group.omitted++;
  }

  /** What was thrown, with the position and the sentence that it has. */
  void add(FindingKind kind, CorruptLogException damage) {
    String sentence = damage.getMessage();
    String prefix = damage.file() + " at byte " + damage.position() + ": ";
    String text = sentence.startsWith(prefix) ? sentence.substring(prefix.length()) : sentence;
    int split = text.indexOf(", expected ");
    add(
        Finding.of(
            kind,
            damage.file(),
            damage.position(),
            split < 0 ? text : text.substring(0, split),
            split < 0 ? "a sound entry" : text.substring(split + ", expected ".length())));
  }

  /** Those of another list, in which some may only have been counted. */
  void add(FindingList others) {
    others.findings.forEach(this::add);
    others.groups.forEach(
        (group, counted) -> {
          Omitted mine = groups.get(group);
          if (counted.omitted > 0) {
            mine.position = mine.omitted == 0 ? counted.position : mine.position;
            mine.omitted += counted.omitted;
          }
        });
  }

  /** All that are told, and one more for those of a kind that were only counted. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>(findings);
    groups.forEach(
        (group, counted) -> {
          if (counted.omitted > 0) {
            all.add(
                Finding.of(
                    group.kind,
                    group.file,
                    counted.position,
                    counted.omitted + " more like the " + counted.told + " before",
                    "none"));
          }
        });
    return all;
  }
}
