package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.verify.BatchScan.OffsetLimits;
import io.tidelog.verify.VerifyOptions.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the snapshots of the metadata log. Each is a file of batches, numbered from 0 without a
 * hole, all with the epoch that its name has; the first is a control batch with a header, the last
 * one with a footer. It gets its name when all of it is on disk, so no crash leaves one unfinished.
 */
final class MetadataSnapshotsCheck {
  private static final Pattern NAME = Pattern.compile("[0-9]{20}-([0-9]{10})\\.checkpoint");

  private final PartitionContext context;
  private final FindingList findings;

  MetadataSnapshotsCheck(PartitionContext context, FindingList findings) {
    this.context = context;
    this.findings = findings;
  }

  void run() {
    for (Map.Entry<String, Long> file : context.files().sizes().entrySet()) {
      Matcher name = NAME.matcher(file.getKey());
      if (name.matches()) {
        Path path = context.files().folder().resolve(file.getKey());
        try {
          check(path, file.getValue(), Long.parseLong(name.group(1)));
        } catch (IOException unreadable) {
          tellUnreadable(path, unreadable);
        }
      }
    }
  }

  /** A broker at work removes old snapshots. */
  private void tellUnreadable(Path path, IOException unreadable) {
    if (context.state().stop() != Stop.RUNNING) {
      findings.add(Unreadable.finding(path, unreadable));
    }
  }

  private void check(Path path, long sizeBytes, long epoch) throws IOException {
    int most = (int) Math.min(sizeBytes, Integer.MAX_VALUE);
    try (DiskFile file = context.disk().openReadOnly(path);
        RecordsCheck records = new RecordsCheck(path, findings, contents())) {
      BatchScan scan = new BatchScan(file, most, new OffsetLimits(0, Long.MAX_VALUE));
      HeaderCheck headers = new HeaderCheck(path, findings);
      long next = 0;
      boolean isFooter = false;
      for (BatchScan.Step step = scan.next(0); step != BatchScan.Step.END; step = scan.next(next)) {
        if (step == BatchScan.Step.BATCH) {
          RecordBatch batch = scan.batch();
          headers.check(batch, scan.position());
          compare(path, scan.position(), "base offset", batch.baseOffset(), next);
          compare(path, scan.position(), "leader epoch", batch.leaderEpoch(), epoch);
          isFooter = batch.isControl() && next > 0;
          next += batch.lastOffsetDelta() + 1L;
          if (isDeep()) {
            records.check(scan.whole(), scan.position());
          }
        } else {
          isFooter = false;
          next = tellDamage(path, scan, step, next);
        }
      }
      if (!isFooter) {
        tell(path, most, "no footer", "a control batch at the end");
      }
    }
  }

  private boolean isDeep() {
    return context.options().depth() == Depth.DEEP;
  }

  private Optional<RecordCheck> contents() {
    return isDeep()
        ? context.options().records().of(PartitionContext.METADATA_TOPIC)
        : Optional.empty();
  }

  /** The offset at which the snapshot goes on. */
  private long tellDamage(Path path, BatchScan scan, BatchScan.Step step, long next) {
    if (step == BatchScan.Step.OLD_BATCH) {
      tell(path, scan.position(), "a batch of an old format version", "version 2");
      return next;
    }
    Stretch damage = scan.damage();
    tell(path, damage.position(), damage.found(), damage.expected());
    return damage.isTail() ? next : damage.nextOffset();
  }

  private void compare(Path path, int position, String what, long found, long expected) {
    if (found != expected) {
      tell(path, position, what + " " + found, String.valueOf(expected));
    }
  }

  private void tell(Path path, int position, String found, String expected) {
    findings.add(
        Finding.of(FindingKind.METADATA_SNAPSHOT_DAMAGED, path, position, found, expected));
  }
}
