package io.tidelog.testkit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The creations, renamings and deletions that no directory sync has made durable yet, oldest first.
 * One that touches the same file or the same name as an earlier one depends on it: it cannot be on
 * disk without it.
 */
final class NameChanges {

  /** A name in a directory. */
  private record Slot(SimDirectory directory, String name) {}

  /** A node leaves a slot, takes one, or both; {@code null} where it does not. */
  private record Change(SimNode node, Slot from, Slot to) {
    boolean touches(SimDirectory directory) {
      return (from != null && from.directory == directory)
          || (to != null && to.directory == directory);
    }

    void apply(Function<SimDirectory, Map<String, SimNode>> names) {
      if (from != null) {
        names.apply(from.directory).remove(from.name);
      }
      if (to != null) {
        names.apply(to.directory).put(to.name, node);
      }
    }
  }

  private final List<Change> changes = new ArrayList<>();

  void created(SimNode node, SimDirectory directory, String name) {
    changes.add(new Change(node, null, new Slot(directory, name)));
  }

  void deleted(SimNode node, SimDirectory directory, String name) {
    changes.add(new Change(node, new Slot(directory, name), null));
  }

  void renamed(SimDirectory from, String fromName, SimDirectory to, String toName) {
    SimNode node = to.entries.get(toName);
    changes.add(new Change(node, new Slot(from, fromName), new Slot(to, toName)));
  }

  /** Makes durable what touches this directory, and what that depends on. */
  void sync(SimDirectory directory) {
    List<BitSet> dependencies = dependencies();
    BitSet needed = new BitSet();
    for (int i = changes.size() - 1; i >= 0; i--) {
      if (needed.get(i) || changes.get(i).touches(directory)) {
        needed.set(i);
        needed.or(dependencies.get(i));
      }
    }
    needed.stream().forEach(i -> changes.get(i).apply(changed -> changed.durable));
    List<Change> left = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      if (!needed.get(i)) {
        left.add(changes.get(i));
      }
    }
    changes.clear();
    changes.addAll(left);
  }

  /** The names of each directory after a power cut. */
  Function<SimDirectory, Map<String, SimNode>> afterCrash(CrashLuck luck) {
    IdentityHashMap<SimDirectory, Map<String, SimNode>> surviving = new IdentityHashMap<>();
    Function<SimDirectory, Map<String, SimNode>> names =
        directory ->
            surviving.computeIfAbsent(directory, unchanged -> new TreeMap<>(unchanged.durable));
    List<BitSet> dependencies = dependencies();
    BitSet lost = new BitSet();
    for (int i = 0; i < changes.size(); i++) {
      if (lost.intersects(dependencies.get(i)) || !luck.keepsName()) {
        lost.set(i);
      } else {
        changes.get(i).apply(names);
      }
    }
    return names;
  }

  /** For each change the latest earlier ones that touch the same node or slot. */
  private List<BitSet> dependencies() {
    IdentityHashMap<SimNode, Integer> lastOfNode = new IdentityHashMap<>();
    Map<Slot, Integer> lastOfSlot = new HashMap<>();
    List<BitSet> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      BitSet before = new BitSet();
      set(before, lastOfNode.put(change.node, i));
      set(before, change.from == null ? null : lastOfSlot.put(change.from, i));
      set(before, change.to == null ? null : lastOfSlot.put(change.to, i));
      all.add(before);
    }
    return all;
  }

  private static void set(BitSet bits, Integer index) {
    if (index != null) {
      bits.set(index);
    }
  }
}
