package io.tidelog.bench.engine;

import io.tidelog.bench.run.Scratch;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreSettings;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A partition in the hands of Tidelog's engine, on the real disk. */
final class OurLog implements AutoCloseable {
  private static final int LEADER_EPOCH = 0;

  private final Scratch scratch = new Scratch();
  private final LogStore store = LogStore.open(scratch.folder("ours"), StoreSettings.DEFAULTS);
  private final PartitionLog log =
      store.create(new TopicPartition("bench", 0), new TopicId(1, 1), LogSettings.DEFAULTS);

  OurLog() throws IOException {}

  /** Appends a batch, which stays as it is but for its offset and epoch. */
  long append(ByteBuffer batch) throws IOException {
    return log.append(batch, LEADER_EPOCH, AppendSource.CLIENT).baseOffset();
  }

  /** Bytes that a read found. */
  int read(long offset, int maxBytes) throws IOException {
    LogSlice slice = log.read(offset, maxBytes, ReadUpTo.HIGH_WATERMARK);
    int bytes = slice.sizeBytes();
    slice.release();
    return bytes;
  }

  long offsetAtTime(long timestampMs) throws IOException {
    return log.offsetAtTime(timestampMs, ReadUpTo.HIGH_WATERMARK).offset();
  }

  @Override
  public void close() throws IOException {
    store.close();
    scratch.close();
  }
}
