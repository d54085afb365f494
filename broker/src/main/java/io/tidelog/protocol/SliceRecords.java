package io.tidelog.protocol;

import io.tidelog.log.LogSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file slice as the records of a Kafka response: {@code
 * partitionData.setRecords(SliceRecords.of(slice))}. Whoever takes the answer releases it; until
 * then its maker does.
 */
public final class SliceRecords implements BaseRecords {
  private static final Logger LOG = LoggerFactory.getLogger(SliceRecords.class);

  private final RecordsSlice slice;
  private final AtomicBoolean released = new AtomicBoolean();

  public SliceRecords(RecordsSlice slice) {
    this.slice = slice;
  }

  /** A slice of a log. */
  public static SliceRecords of(LogSlice slice) {
    return new SliceRecords(
        new RecordsSlice() {
          @Override
          public int sizeBytes() {
            return slice.sizeBytes();
          }

          @Override
          public long transferTo(long position, long count, WritableByteChannel target)
              throws IOException {
            return slice.transferTo(position, count, target);
          }

          @Override
          public int read(ByteBuffer target, long position) throws IOException {
            return slice.read(target, position);
          }

          @Override
          public void release() {
            slice.release();
          }
        });
  }

  @Override
  public int sizeInBytes() {
    return slice.sizeBytes();
  }

  /** Sends bytes from {@code position} to the slice's end; returns how many the channel took. */
  public long transferTo(long position, WritableByteChannel target) throws IOException {
    return slice.transferTo(position, slice.sizeBytes() - position, target);
  }

  /**
   * Copies all of it to the buffer, which has room for it; returns whether it came whole. If not,
   * the buffer's position is as it was.
   */
  public boolean copyTo(ByteBuffer target) throws IOException {
    int start = target.position();
    int read = slice.read(target.slice(start, slice.sizeBytes()), 0);
    boolean isWhole = read == slice.sizeBytes();
    target.position(isWhole ? start + read : start);
    return isWhole;
  }

  /** For listeners that send through Kafka's channel layer. */
  @Override
  public SliceSend toSend() {
    return new SliceSend(this);
  }

  /** Lets the file go; only the first call counts. From any thread. */
  public void release() {
    if (released.compareAndSet(false, true)) {
      try {
        slice.release();
      } catch (RuntimeException e) {
        LOG.error("A file slice could not be released; its file may stay open", e);
      }
    }
  }
}
