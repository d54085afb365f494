package io.tidelog.compaction;

import io.tidelog.record.BatchRemains;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.SegmentDraft;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The memory and the codecs of one compaction after another. For one thread at a time. */
public final class Workspace implements Closeable {
  private final Limits limits;
  private final KeyOffsets.Room room;
  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final KeyOffsets keys = new KeyOffsets();
  private final RecordWalk records = new RecordWalk(codecs);
  private final BatchRemains remains = new BatchRemains(codecs);
  private ByteBuffer output;

  /**
   * How much memory it may take.
   *
   * @param keyBytes for the keys of one pass
   * @param keyLoad the largest share of these that is used
   * @param writeBytes what is gathered for one write
   */
  public record Limits(long keyBytes, double keyLoad, int writeBytes) {

    /**
     * Checks that there is room for keys.
     *
     * @throws IllegalArgumentException if there is not
     */
    public void requireRoom() {
      new KeyOffsets.Room(keyBytes, keyLoad);
    }
  }

  private Workspace(Limits limits) {
    this.limits = limits;
    this.room = new KeyOffsets.Room(limits.keyBytes, limits.keyLoad);
  }

  /**
   * One without anything in it, which takes its memory when it is used.
   *
   * @throws IllegalArgumentException if not even one key has room
   */
  public static Workspace create(Limits limits) {
    return new Workspace(limits);
  }

  /** How much memory it may take. */
  public Limits limits() {
    return limits;
  }

  KeyOffsets.Room room() {
    return room;
  }

  KeyOffsets keys() {
    return keys;
  }

  RecordWalk records() {
    return records;
  }

  BatchRemains remains() {
    return remains;
  }

  /** Adds a batch to a segment, in one write with others. */
  void write(RecordBatch batch, SegmentDraft target) throws IOException {
    if (output == null) {
      output = ByteBuffer.allocateDirect(limits.writeBytes);
    }
    ByteBuffer bytes = batch.buffer().slice(batch.position(), batch.sizeBytes());
    if (bytes.remaining() > output.remaining()) {
      flush(target);
    }
    if (bytes.remaining() > output.remaining()) {
      target.append(bytes);
    } else {
      output.put(bytes);
    }
  }

  /** Writes what is gathered. */
  void flush(SegmentDraft target) throws IOException {
    if (output != null && output.position() > 0) {
      target.append(output.flip());
      output.clear();
    }
  }

  /** Forgets what is gathered. */
  void discard() {
    if (output != null) {
      output.clear();
    }
  }

  /** Gives back the memory that is only used while something is compacted. */
  public void release() {
    keys.release();
    output = null;
  }

  @Override
  public void close() {
    release();
    codecs.close();
  }
}
