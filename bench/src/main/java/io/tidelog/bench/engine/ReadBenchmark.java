package io.tidelog.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to find where a read begins: at a random offset, one after the other, at
 * the tail, and by time? 256 MiB in batches of 16 records of 1 KiB, one millisecond apart; nothing
 * is copied. Estimate: a binary search in an index and one or two reads of a batch header, 1 us
 * each.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadBenchmark {
  private static final int BATCHES = 16_384;
  private static final int RECORDS = 16;
  private static final long END = (long) BATCHES * RECORDS;
  private static final int MAX_BYTES = 16 * 1024 + 512;
  private static final int BASE_TIMESTAMP_AT = 27;
  private static final int MAX_TIMESTAMP_AT = 35;
  private static final int CRC_AT = 17;
  private static final long FIRST_MS = System.currentTimeMillis() - BATCHES;

  /** Where to read. */
  @State(Scope.Thread)
  public static class Places {
    private final SplittableRandom random = new SplittableRandom(1);
    private long next;

    private long random() {
      return random.nextLong(END);
    }

    private long following() {
      next = (next + RECORDS) % END;
      return next;
    }
  }

  /** Takes a batch in. */
  private interface Sink {
    void append(ByteBuffer batch) throws IOException;
  }

  private static void fill(Sink sink) throws IOException {
    ByteBuffer batch = Batches.plain(RECORDS);
    for (int i = 0; i < BATCHES; i++) {
      Batches.again(batch).putLong(BASE_TIMESTAMP_AT, FIRST_MS + i);
      batch.putLong(MAX_TIMESTAMP_AT, FIRST_MS + i);
      sink.append(sealed(batch));
    }
  }

  private static ByteBuffer sealed(ByteBuffer batch) {
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(batch.slice(CRC_AT + Integer.BYTES, batch.limit() - CRC_AT - Integer.BYTES));
    return batch.putInt(CRC_AT, (int) crc.getValue());
  }

  /** Tidelog's log, filled. */
  @State(Scope.Benchmark)
  public static class Ours {
    private OurLog log;

    /** Fills it. */
    @Setup
    public void open() throws IOException {
      log = new OurLog();
      fill(log::append);
    }

    /** Deletes it. */
    @TearDown
    public void close() throws IOException {
      log.close();
    }
  }

  /** Kafka's log, filled. */
  @State(Scope.Benchmark)
  public static class Kafkas {
    private KafkasLog log;

    /** Fills it. */
    @Setup
    public void open() throws IOException {
      log = new KafkasLog();
      fill(log::append);
    }

    /** Deletes it. */
    @TearDown
    public void close() throws IOException {
      log.close();
    }
  }

  /** A batch with less than its header would be an empty answer: no lookup. */
  private static int found(int bytes) {
    if (bytes < DefaultRecordBatch.RECORD_BATCH_OVERHEAD) {
      throw new IllegalStateException("nothing was found");
    }
    return bytes;
  }

  @Benchmark
  public int randomTidelog(Ours ours, Places places) throws IOException {
    return found(ours.log.read(places.random(), MAX_BYTES));
  }

  @Benchmark
  public int randomKafka(Kafkas kafkas, Places places) throws IOException {
    return found(kafkas.log.read(places.random(), MAX_BYTES));
  }

  @Benchmark
  public int sequentialTidelog(Ours ours, Places places) throws IOException {
    return found(ours.log.read(places.following(), MAX_BYTES));
  }

  @Benchmark
  public int sequentialKafka(Kafkas kafkas, Places places) throws IOException {
    return found(kafkas.log.read(places.following(), MAX_BYTES));
  }

  @Benchmark
  public int tailTidelog(Ours ours) throws IOException {
    return found(ours.log.read(END - RECORDS, MAX_BYTES));
  }

  @Benchmark
  public int tailKafka(Kafkas kafkas) throws IOException {
    return found(kafkas.log.read(END - RECORDS, MAX_BYTES));
  }

  private static long found(long expected, long offset) {
    if (offset != expected) {
      throw new IllegalStateException("offset " + offset + " was found, expected " + expected);
    }
    return offset;
  }

  @Benchmark
  public long timeTidelog(Ours ours, Places places) throws IOException {
    long batch = places.random() / RECORDS;
    return found(batch * RECORDS, ours.log.offsetAtTime(FIRST_MS + batch));
  }

  @Benchmark
  public long timeKafka(Kafkas kafkas, Places places) {
    long batch = places.random() / RECORDS;
    return found(batch * RECORDS, kafkas.log.offsetAtTime(FIRST_MS + batch));
  }
}
