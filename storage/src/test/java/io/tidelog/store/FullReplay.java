package io.tidelog.store;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.ControlType;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.TxnIndexWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the {@code .log} files of a partition say of its transactions, read from the first byte to
 * the last: the truth that every {@code .txnindex} and the last stable offset have to agree with.
 */
final class FullReplay {
  private final Map<String, List<AbortedTransaction>> aborted = new TreeMap<>();
  private final Map<Long, Long> open = new HashMap<>();
  private long end;

  static FullReplay of(Disk disk, Path folder) throws IOException {
    FullReplay replay = new FullReplay();
    for (FullScan.Batch batch : FullScan.of(disk, folder).batches()) {
      replay.take(batch);
    }
    return replay;
  }

  private void take(FullScan.Batch from) {
    RecordBatch batch = from.header();
    end = batch.nextOffset();
    if (!batch.isTransactional()) {
      return;
    }
    if (!batch.isControl()) {
      open.putIfAbsent(batch.producerId(), batch.baseOffset());
      return;
    }
    Long first = open.remove(batch.producerId());
    if (first != null && isAbort(batch)) {
      String log = from.file().getFileName().toString();
      aborted
          .computeIfAbsent(log.replace(".log", ".txnindex"), unknown -> new ArrayList<>())
          .add(new AbortedTransaction(batch.producerId(), first, batch.baseOffset(), lastStable()));
    }
  }

  private static boolean isAbort(RecordBatch marker) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      cursor.open(marker, UnpackLimits.DEFAULT);
      return cursor.next() && ControlType.ofKey(cursor.key()) == ControlType.ABORT;
    }
  }

  /** Where the first transaction begins that is open at the end, or the end. */
  long lastStable() {
    return open.values().stream().mapToLong(Long::longValue).min().orElse(end);
  }

  /** The contents of each index that must be there, by name. */
  Map<String, List<AbortedTransaction>> aborted() {
    return aborted;
  }

  /** The contents of each index that is there and not empty, by name. */
  static Map<String, List<AbortedTransaction>> indexes(Disk disk, Path folder) throws IOException {
    Map<String, List<AbortedTransaction>> found = new TreeMap<>();
    for (String name : disk.list(folder)) {
      if (name.endsWith(".txnindex") && disk.sizeBytes(folder.resolve(name)) > 0) {
        found.put(name, read(disk, folder.resolve(name)));
      }
    }
    return found;
  }

  private static List<AbortedTransaction> read(Disk disk, Path file) throws IOException {
    List<AbortedTransaction> entries = new ArrayList<>();
    try (DiskFile opened = disk.openReadOnly(file)) {
      TxnIndexWalk walk = new TxnIndexWalk(opened);
      while (walk.next()) {
        entries.add(walk.transaction());
      }
    }
    return entries;
  }
}
