package io.tidelog.handler;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The parts of a request by a key that each should have for itself. Parts that share one are all
 * left out, since nobody can tell which of them is meant.
 *
 * @param parts the others, in the order of the request
 * @param duplicates the keys that came more than once
 */
record Unique<K, T>(Map<K, T> parts, Set<K> duplicates) {

  static <K, T> Unique<K, T> of(Collection<T> all, Function<T, K> key) {
    Map<K, T> parts = new LinkedHashMap<>();
    Set<K> duplicates = new LinkedHashSet<>();
    for (T part : all) {
      K name = key.apply(part);
      if (parts.putIfAbsent(name, part) != null) {
        duplicates.add(name);
      }
    }
    parts.keySet().removeAll(duplicates);
    return new Unique<>(parts, duplicates);
  }
}
