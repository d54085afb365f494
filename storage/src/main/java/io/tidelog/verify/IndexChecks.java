package io.tidelog.verify;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.BatchScan.OffsetLimits;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

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
  private final FindingList sink;
  private final List<DiskFile> opened = new ArrayList<>();
  private OffsetIndexCheck offsets;
  private TimeIndexCheck times;

  private IndexChecks(PartitionContext context, long baseOffset, Trust trust, FindingList sink) {
    this.sink = sink;
    this.context = context;
    this.baseOffset = baseOffset;
    this.trust = trust;
    this.isActive = context.files().nextBase(baseOffset).isEmpty();
  }

  /**
   * Opens what is there.
   *
   * @param sink told of what cannot be read at once, and of all else at the end
   */
  static IndexChecks open(
      PartitionContext context, long baseOffset, Trust trust, FindingList sink) {
    IndexChecks checks = new IndexChecks(context, baseOffset, trust, sink);
    checks.open();
    return checks;
  }

  private void open() {
    try {
      DiskFile file = openOrTell(SegmentFiles.OFFSET_INDEX);
      if (file != null) {
        offsets =
            new OffsetIndexCheck(
                IndexEntries.ofOffsets(file, baseOffset, findings),
                findings,
                baseOffset,
                context.indexIntervalBytes());
      }
    } catch (IOException unreadable) {
      giveUpOffsets(unreadable);
    }
    try {
      DiskFile file = openOrTell(SegmentFiles.TIME_INDEX);
      if (file != null) {
        times = new TimeIndexCheck(IndexEntries.ofTimes(file, baseOffset, findings), findings);
      }
    } catch (IOException unreadable) {
      giveUpTimes(unreadable);
    }
  }

  /** An index that cannot be read keeps nobody from checking its log. */
  private void giveUpOffsets(IOException unreadable) {
    offsets = null;
    sink.add(
        Unreadable.finding(
            context.files().path(baseOffset, SegmentFiles.OFFSET_INDEX), unreadable));
  }

  private void giveUpTimes(IOException unreadable) {
    times = null;
    sink.add(
        Unreadable.finding(context.files().path(baseOffset, SegmentFiles.TIME_INDEX), unreadable));
  }

  private DiskFile openOrTell(String suffix) throws IOException {
    Disk disk = context.disk();
    Path path = context.files().path(baseOffset, suffix);
    try {
      DiskFile file = disk.openReadOnly(path);
      opened.add(file);
      return file;
    } catch (NoSuchFileException missing) {
      if (trust != Trust.GROWING && context.files().sizeBytes(baseOffset, SegmentFiles.LOG) > 0) {
        findings.add(
            Finding.of(
                FindingKind.INDEX_MISSING,
                path,
                0,
                "no such file",
                "the index of a segment that is here"));
      }
      return null;
    }
  }

  void add(BatchFacts batch) {
    if (offsets != null) {
      try {
        offsets.add(batch);
      } catch (IOException unreadable) {
        giveUpOffsets(unreadable);
      }
    }
    if (times != null) {
      try {
        times.add(batch);
      } catch (IOException unreadable) {
        giveUpTimes(unreadable);
      }
    }
    if (times != null && offsets != null && offsets.isLastIndexed(batch)) {
      times.markIndexed();
    }
  }

  void passOver(Stretch damage) {
    if (offsets != null) {
      try {
        offsets.passOver(damage);
      } catch (IOException unreadable) {
        giveUpOffsets(unreadable);
      }
    }
    if (times != null) {
      try {
        times.passOver(damage);
      } catch (IOException unreadable) {
        giveUpTimes(unreadable);
      }
    }
  }

  /**
   * The log ends: tells what was found.
   *
   * @param missing offsets that may be missing at its end
   * @return one more than the last of these that an index names which somebody relies on
   */
  OptionalLong end(int logBytes, OffsetLimits missing) {
    boolean growsMeanwhile = context.state().stop() == Stop.RUNNING && isActive;
    OptionalLong named = OptionalLong.empty();
    if (offsets != null && !growsMeanwhile) {
      try {
        named = offsets.end(logBytes, missing);
      } catch (IOException unreadable) {
        giveUpOffsets(unreadable);
      }
    }
    if (times != null && !growsMeanwhile) {
      times.end(missing.first());
    }
    requireComplete();
    if (trust == Trust.REBUILT) {
      tellStale();
      return OptionalLong.empty();
    }
    sink.add(findings);
    return named;
  }

  private void requireComplete() {
    if (offsets != null && trust != Trust.GROWING) {
      offsets.requireComplete();
    }
    boolean hasClosingEntry = !isActive || trust == Trust.WHOLE && !context.isMetadata();
    if (times != null && hasClosingEntry) {
      times.requireComplete();
    } else if (times != null && trust == Trust.WHOLE) {
      times.requireIndexed();
    }
  }

  private void tellStale() {
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
