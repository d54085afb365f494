package io.tidelog.verify;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The checks of a segment's two indexes against its log. What they find counts as {@link
 * Trust#REBUILT} or {@link Trust#GROWING} say, where nobody relies on them as they are.
 */
final class IndexChecks implements AutoCloseable {

  /** How far somebody relies on the indexes of a segment. */
  enum Trust {
    /** They are taken as they are. */
    WHOLE,
    /** They are taken as they are, but entries at the end may still be in somebody's memory. */
    GROWING,
    /** The next start makes them anew. */
    REBUILT
  }

  private final PartitionContext context;
  private final long baseOffset;
  private final Trust trust;
  private final boolean isActive;
  private final FindingList findings = new FindingList();
  private final List<DiskFile> opened = new ArrayList<>();
  private OffsetIndexCheck offsets;
  private TimeIndexCheck times;

  private IndexChecks(PartitionContext context, long baseOffset, Trust trust) {
    this.context = context;
    this.baseOffset = baseOffset;
    this.trust = trust;
    this.isActive = context.files().nextBase(baseOffset).isEmpty();
  }

  /** Opens what is there. */
  static IndexChecks open(PartitionContext context, long baseOffset, Trust trust)
      throws IOException {
    IndexChecks checks = new IndexChecks(context, baseOffset, trust);
    try {
      checks.open();
      return checks;
    } catch (IOException | RuntimeException e) {
      checks.close();
      throw e;
    }
  }

  private void open() throws IOException {
    DiskFile offsetFile = openOrTell(SegmentFiles.OFFSET_INDEX);
    if (offsetFile != null) {
      offsets =
          new OffsetIndexCheck(
              IndexEntries.ofOffsets(offsetFile, baseOffset, findings),
              findings,
              baseOffset,
              context.indexIntervalBytes());
    }
    DiskFile timeFile = openOrTell(SegmentFiles.TIME_INDEX);
    if (timeFile != null) {
      times = new TimeIndexCheck(IndexEntries.ofTimes(timeFile, baseOffset, findings), findings);
    }
  }

  private DiskFile openOrTell(String suffix) throws IOException {
    Disk disk = context.disk();
    try {
      DiskFile file = disk.openReadOnly(context.files().path(baseOffset, suffix));
      opened.add(file);
      return file;
    } catch (NoSuchFileException missing) {
      if (trust != Trust.GROWING && context.files().sizeBytes(baseOffset, SegmentFiles.LOG) > 0) {
        findings.add(
            Finding.of(
                FindingKind.INDEX_MISSING,
                context.files().path(baseOffset, suffix),
                0,
                "no such file",
                "the index of a segment that is here"));
      }
      return null;
    }
  }

  void add(BatchFacts batch) throws IOException {
    if (offsets != null) {
      offsets.add(batch);
    }
    if (times != null) {
      times.add(batch);
      if (offsets != null && offsets.isLastIndexed(batch)) {
        times.markIndexed();
      }
    }
  }

  void passOver(Stretch damage) throws IOException {
    if (offsets != null) {
      offsets.passOver(damage);
    }
    if (times != null) {
      times.passOver(damage);
    }
  }

  /** The log ends: tells what was found. */
  void end(int logBytes, long nextOffset, FindingList sink) throws IOException {
    boolean growsMeanwhile = context.state().stop() == Stop.RUNNING && isActive;
    if (offsets != null && !growsMeanwhile) {
      offsets.end(logBytes);
    }
    if (times != null && !growsMeanwhile) {
      times.end(nextOffset);
    }
    if (offsets != null && trust != Trust.GROWING) {
      offsets.requireComplete();
    }
    if (times != null && !isActive) {
      times.requireComplete();
    } else if (times != null && trust == Trust.WHOLE) {
      times.requireIndexed();
    }
    if (trust == Trust.REBUILT) {
      tellStale(sink);
    } else {
      sink.add(findings);
    }
  }

  private void tellStale(FindingList sink) {
    findings.all().stream()
        .filter(finding -> finding.severity() != Severity.NOTE)
        .map(Finding::file)
        .distinct()
        .forEach(file -> sink.add(stale(firstIn(file))));
  }

  private Finding firstIn(Path file) {
    return findings.all().stream()
        .filter(finding -> finding.file().equals(file))
        .findFirst()
        .orElseThrow();
  }

  private static Finding stale(Finding first) {
    return Finding.of(
        FindingKind.INDEX_STALE, first.file(), first.position(), first.found(), first.expected());
  }

  @Override
  public void close() throws IOException {
    for (DiskFile file : opened) {
      file.close();
    }
  }
}
