package io.tidelog.compaction;

import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which neighbouring segments become one: as many as fit together, as they are now, into the limits
 * of a segment.
 */
final class SegmentGroups {
  private final Disk disk;
  private final LogSettings settings;
  private final List<List<Segment>> groups = new ArrayList<>();
  private List<Segment> group = new ArrayList<>();
  private long logBytes;
  private long offsetIndexBytes;
  private long timeIndexBytes;

  private SegmentGroups(Disk disk, LogSettings settings) {
    this.disk = disk;
    this.settings = settings;
  }

  /**
   * @param segments by rising base offset
   * @param end the offset after the last one
   */
  static List<List<Segment>> of(Disk disk, LogSettings settings, List<Segment> segments, long end)
      throws IOException {
    SegmentGroups all = new SegmentGroups(disk, settings);
    for (int i = 0; i < segments.size(); i++) {
      all.add(segments.get(i), i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : end);
    }
    all.close();
    return all.groups;
  }

  private void add(Segment segment, long end) throws IOException {
    long offsets = sizeBytes(segment.path(SegmentFiles.OFFSET_INDEX));
    long times = sizeBytes(segment.path(SegmentFiles.TIME_INDEX));
    boolean fits =
        logBytes + segment.sizeBytes() <= settings.segmentBytes()
            && offsetIndexBytes + offsets <= settings.segmentIndexBytes()
            && timeIndexBytes + times <= settings.segmentIndexBytes()
            && (segment.sizeBytes() == 0 || group.isEmpty() || group.get(0).canHold(end - 1));
    if (!fits) {
      close();
    }
    group.add(segment);
    logBytes += segment.sizeBytes();
    offsetIndexBytes += offsets;
    timeIndexBytes += times;
  }

  private void close() {
    if (!group.isEmpty()) {
      groups.add(group);
      group = new ArrayList<>();
    }
    logBytes = 0;
    offsetIndexBytes = 0;
    timeIndexBytes = 0;
  }

  private long sizeBytes(Path index) throws IOException {
    return disk.exists(index) ? disk.sizeBytes(index) : 0;
  }
}
