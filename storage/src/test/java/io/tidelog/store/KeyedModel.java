package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a compacted log must still say: the latest committed value of each key, and of each offset
 * no other record than was written there.
 */
final class KeyedModel implements KeyedWriters.Written {
  private final Map<Long, Line> written = new TreeMap<>();
  private final Map<Long, List<Line>> open = new HashMap<>();
  private long end;

  /** A record. */
  private static final class Line {
    private final String key;
    private final String value;
    private boolean isCommitted;

    Line(String key, String value) {
      this.key = key;
      this.value = value;
    }
  }

  @Override
  public void record(long offset, String key, String value, long transaction) {
    Line line = new Line(key, value);
    written.put(offset, line);
    end = offset + 1;
    if (transaction < 0) {
      line.isCommitted = true;
    } else {
      open.computeIfAbsent(transaction, unknown -> new ArrayList<>()).add(line);
    }
  }

  @Override
  public void ended(long transaction, Outcome outcome) {
    end++;
    List<Line> lines = open.remove(transaction);
    if (lines != null) {
      lines.forEach(line -> line.isCommitted = outcome == Outcome.COMMIT);
    }
  }

  long end() {
    return end;
  }

  /** Each key's latest committed record, as a reader of committed records may see it. */
  private Map<String, Line> latest() {
    return written.values().stream()
        .filter(line -> line.isCommitted && line.key != null)
        .collect(Collectors.toMap(line -> line.key, line -> line, (before, after) -> after));
  }

  /** Reads the log in small and in large slices. */
  void check(PartitionLog log) throws IOException {
    check(log, 1);
    check(log, 1 << 20);
  }

  private void check(PartitionLog log, int maxBytes) throws IOException {
    Map<String, String> seen = new TreeMap<>();
    CommittedReader reader = CommittedReader.honest();
    long offset = log.view().start();
    while (offset < log.view().stable()) {
      CommittedReader.Got got = reader.fetch(log, offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
      assertThat(got.next()).as("the offset after a read at %d", offset).isGreaterThan(offset);
      new TreeMap<>(got.records()).forEach((at, value) -> see(at, value, seen));
      offset = got.next();
    }
    Map<String, String> expected = new TreeMap<>();
    latest().forEach((key, line) -> expected.put(key, line.value));
    seen.values().removeIf(Objects::isNull);
    expected.values().removeIf(Objects::isNull);
    assertThat(seen).isEqualTo(expected);
  }

  private void see(long offset, String value, Map<String, String> seen) {
    Line line = written.get(offset);
    assertThat(line).as("the record at offset %d", offset).isNotNull();
    assertThat(value).as("the value at offset %d", offset).isEqualTo(line.value);
    assertThat(line.isCommitted).as("what is seen at offset %d is committed", offset).isTrue();
    if (line.key != null) {
      seen.put(line.key, value);
    }
  }
}
