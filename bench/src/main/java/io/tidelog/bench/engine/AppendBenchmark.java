package io.tidelog.bench.engine;

import io.tidelog.bench.run.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to validate, number and write a batch of 1 KiB records into the page cache?
 * What nobody can do without is the write itself, which is measured beside.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AppendBenchmark {

  /** What is appended. */
  @State(Scope.Thread)
  public static class Produced {
    @Param({"1", "16", "100"})
    private int records;

    private ByteBuffer batch;

    /** Makes the batch. */
    @Setup
    public void make() {
      batch = Batches.plain(records);
    }
  }

  /** Tidelog's log; a new one for each iteration, so that no disk is filled. */
  @State(Scope.Thread)
  public static class Ours {
    private OurLog log;

    /** Makes the log. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
      log = new OurLog();
    }

    /** Deletes it. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
      log.close();
    }
  }

  /** Kafka's log; a new one for each iteration. */
  @State(Scope.Thread)
  public static class Kafkas {
    private KafkasLog log;

    /** Makes the log. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
      log = new KafkasLog();
    }

    /** Deletes it. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
      log.close();
    }
  }

  /** A file, and nothing around it; a new one for each iteration. */
  @State(Scope.Thread)
  public static class Bare {
    private Scratch scratch;
    private FileChannel file;
    private long end;

    /** Makes the file. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
      scratch = new Scratch();
      Path path = scratch.folder("bare").resolve("file");
      file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      end = 0;
    }

    /** Deletes it. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
      file.close();
      scratch.close();
    }
  }

  /** The floor: the write alone. */
  @Benchmark
  public long bareWrite(Bare bare, Produced produced) throws IOException {
    ByteBuffer batch = Batches.again(produced.batch);
    while (batch.hasRemaining()) {
      bare.end += bare.file.write(batch, bare.end);
    }
    return bare.end;
  }

  /** Tidelog. */
  @Benchmark
  public long tidelog(Ours ours, Produced produced) throws IOException {
    return ours.log.append(Batches.again(produced.batch));
  }

  /** Kafka. */
  @Benchmark
  public long kafka(Kafkas kafkas, Produced produced) throws IOException {
    return kafkas.log.append(Batches.again(produced.batch));
  }
}
