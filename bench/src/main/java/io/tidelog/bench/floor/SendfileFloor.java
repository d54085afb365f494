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
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** What it costs to send pieces of 1 MiB of a file that is in the page cache, by sendfile. */
public final class SendfileFloor implements Subject {
  private static final int FILE_MIB = 256;
  private static final int DEPTH = 8;

  private final LoopProcess loop;
  private final Plan plan;
  private final Figure figure;
  private final Path file;

  private SendfileFloor(LoopProcess loop, Plan plan, Figure figure, Path file) {
    this.loop = loop;
    this.plan = plan;
    this.figure = figure;
    this.file = file;
  }

  /** Starts it; a sample holds the figure, in processor seconds for each GiB. */
  public static SendfileFloor start(Path directory, Plan plan, Figure figure) throws IOException {
    Path file = directory.resolve("sent");
    byte[] mib = new byte[BareLoop.MIB];
    for (int i = 0; i < FILE_MIB; i++) {
      Files.write(file, mib, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return new SendfileFloor(new LoopProcess("send", file), plan, figure, file);
  }

  @Override
  public void warmUp() throws IOException {
    run(plan.warmUp());
  }

  @Override
  public Sample sample() throws IOException {
    return run(plan.span());
  }

  private Sample run(Duration span) throws IOException {
    SocketChannel channel = loop.channel();
    ByteBuffer request = ByteBuffer.allocateDirect(1);
    ByteBuffer bytes = ByteBuffer.allocateDirect(2 * BareLoop.MIB);
    long end = System.nanoTime() + span.toNanos();
    double before = loop.cpuSeconds();
    long asked = 0;
    long received = 0;
    boolean isOver = false;
    while (!isOver || received < asked * BareLoop.MIB) {
      isOver = System.nanoTime() >= end;
      if (isOver && received == asked * BareLoop.MIB) {
        break;
      }
      if (!isOver && asked * BareLoop.MIB - received < (long) DEPTH * BareLoop.MIB) {
        channel.write(request.clear());
        asked++;
      } else {
        int read = channel.read(bytes.clear());
        if (read < 0) {
          throw new EOFException("the bare loop has ended");
        }
        received += read;
      }
    }
    double gibibytes = (double) received / (1 << 30);
    return new Sample().with(figure, (loop.cpuSeconds() - before) / gibibytes);
  }

  @Override
  public void close() throws IOException {
    loop.close();
    Files.deleteIfExists(file);
  }
}
