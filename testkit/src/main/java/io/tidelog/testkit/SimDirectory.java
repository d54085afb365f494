package io.tidelog.testkit;

import java.util.Map;
import java.util.TreeMap;

/**
 * The names in one directory twice over: as programs see them, and as they would be after a power
 * cut.
 */
final class SimDirectory implements SimNode {
  final Map<String, SimNode> entries = new TreeMap<>();
  final Map<String, SimNode> durable = new TreeMap<>();

  @Override
  public long totalBytes() {
    return entries.values().stream().mapToLong(SimNode::totalBytes).sum();
  }
}
