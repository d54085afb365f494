package io.tidelog.bench.floor;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What it costs to receive a stream and to write it to a file, in pieces of 1 MiB. */
public final class ReceiveFloor implements Subject {
  private static final int DEPTH = 8;

  private final LoopProcess loop;
  private final Plan plan;
  private final Figure figure;
  private final Path file;
  private long written;

  private ReceiveFloor(LoopProcess loop, Plan plan, Figure figure, Path file) {
    this.loop = loop;
    this.plan = plan;
    this.figure = figure;
    this.file = file;
  }

  /** Starts it; a sample holds the figure, in processor seconds for each GiB. */
  public static ReceiveFloor start(Path directory, Plan plan, Figure figure) throws IOException {
    Path file = directory.resolve("received");
    return new ReceiveFloor(new LoopProcess("receive", file), plan, figure, file);
  }

  /** Makes the loop compiled code: a few hundred turns. */
  @Override
  public void warmUp() throws IOException {
    run(plan.warmUp(), plan.sizes().mostBytes() / 4);
  }

  @Override
  public Sample sample() throws IOException {
    return run(plan.span(), plan.sizes().mostBytes());
  }

  private Sample run(Duration span, long mostBytes) throws IOException {
    SocketChannel channel = loop.channel();
    ByteBuffer bytes = ByteBuffer.allocateDirect(BareLoop.MIB);
    ByteBuffer acknowledgements = ByteBuffer.allocateDirect(DEPTH);
    long end = System.nanoTime() + span.toNanos();
    double before = loop.cpuSeconds();
    long sent = 0;
    long acknowledged = 0;
    boolean isOver = false;
    while (!isOver || acknowledged < sent) {
      isOver = System.nanoTime() >= end || sent * BareLoop.MIB >= mostBytes;
      if (isOver && acknowledged == sent) {
        break;
      }
      if (!isOver && sent - acknowledged < DEPTH) {
        channel.write(bytes.clear());
        sent++;
      } else {
        int read = channel.read(acknowledgements.clear());
        if (read < 0) {
          throw new EOFException("the bare loop has ended");
        }
        acknowledged += read;
      }
    }
    written += sent * BareLoop.MIB;
    if (Files.size(file) != written) {
      throw new IOException(file + " has " + Files.size(file) + " bytes, expected " + written);
    }
    double gibibytes = (double) (sent * BareLoop.MIB) / (1 << 30);
    return new Sample().with(figure, (loop.cpuSeconds() - before) / gibibytes);
  }

  @Override
  public void close() throws IOException {
    loop.close();
    Files.deleteIfExists(file);
  }
}
