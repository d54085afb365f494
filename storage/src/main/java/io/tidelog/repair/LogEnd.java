package io.tidelog.repair;

import io.tidelog.segment.LogPart;
import java.io.IOException;
import java.util.NavigableSet;

/** Where a log ends: after its last sound batch, or where an empty last segment begins. */
final class LogEnd {
  private LogEnd() {}

  static long of(Target target) throws IOException {
    NavigableSet<Long> bases = target.logs();
    return bases.isEmpty()
        ? 0
        : LogContents.read(target.disk(), target.folder(), bases.last(), LogPart.OPEN).nextOffset();
  }
}
