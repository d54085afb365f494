package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A closed segment in the making, which is to take the place of others: its files have the ending
 * {@code .cleaned} until {@link SegmentSwap} puts them in service. For one thread.
 */
public final class SegmentDraft implements Closeable {
  private final Segment.Setting setting;
  private final SegmentSwap swap;
  private final long baseOffset;
  private final DiskFile log;
  private final SegmentIndexes indexes;
  private final TxnIndex aborted;
  private int sizeBytes;

  private SegmentDraft(Segment.Setting setting, SegmentSwap swap, DiskFile log) throws IOException {
    this.setting = setting;
    this.swap = swap;
    this.baseOffset = swap.baseOffset();
    this.log = log;
    this.indexes = SegmentIndexes.createDraft(setting, baseOffset, log, SegmentFiles.CLEANED);
    this.aborted = new TxnIndex(setting.disk(), swap.draft(SegmentFiles.TXN_INDEX));
  }

  /** Begins one, in place of what an earlier attempt may have left. */
  public static SegmentDraft create(Segment.Setting setting, long baseOffset) throws IOException {
    Disk disk = setting.disk();
    SegmentSwap swap = new SegmentSwap(disk, setting.directory(), baseOffset);
    swap.undo();
    DiskFile log = disk.create(swap.draft(SegmentFiles.LOG));
    try {
      return new SegmentDraft(setting, swap, log);
    } catch (IOException e) {
      log.close();
      swap.undo();
      throw e;
    }
  }

  public long baseOffset() {
    return baseOffset;
  }

  /** Bytes of the log so far. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /**
   * Appends whole batches that have their final offsets.
   *
   * @throws IOException if they cannot be written, or the log would have more than 2^31-1 bytes
   */
  public void append(ByteBuffer batches) throws IOException {
    int bytes = batches.remaining();
    if (bytes > Integer.MAX_VALUE - sizeBytes) {
      throw new IOException(
          "%s would have more than 2147483647 bytes; set segment.bytes lower".formatted(path()));
    }
    log.write(batches.duplicate(), sizeBytes);
    for (int at = batches.position(); at < batches.limit(); ) {
      RecordBatch batch = RecordBatch.at(batches, at);
      indexes.note(batch, sizeBytes + at - batches.position());
      at += batch.sizeBytes();
    }
    sizeBytes += bytes;
  }

  /** Makes all durable but the names, with the time at which the records were written. */
  public void complete(List<AbortedTransaction> abortedHere, long modifiedMs) throws IOException {
    for (AbortedTransaction transaction : abortedHere) {
      aborted.append(transaction);
    }
    indexes.seal();
    indexes.sync();
    aborted.sync();
    setting.disk().setModifiedMs(path(), modifiedMs);
    log.sync();
    log.close();
  }

  /** The renaming that puts it in service. */
  public SegmentSwap swap() {
    return swap;
  }

  private Path path() {
    return swap.draft(SegmentFiles.LOG);
  }

  /** Lets go of the log; the files stay. */
  @Override
  public void close() throws IOException {
    log.close();
  }
}
