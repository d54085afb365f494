package io.tidelog.bench.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Keeps a number of requests on their way, over one or several connections in turn: the next one is
 * sent when the oldest was answered. One thread, no queue.
 */
public final class Pipeline {
  private static final int DIGITS = 3;

  private final List<RawConnection> connections;
  private final Work work;
  private final long[] sentNs;
  private final Histogram latencies = new Histogram(DIGITS);

  private long sent;
  private long answered;
  private long bytes;

  /**
   * A pipeline.
   *
   * @param depth requests on their way at the same time
   */
  public Pipeline(List<RawConnection> connections, Work work, int depth) {
    this.connections = List.copyOf(connections);
    this.work = work;
    this.sentNs = new long[depth];
  }

  /**
   * Sends until the time is over or so many requests were sent; all of them are answered when it
   * returns.
   *
   * @throws RefusedException at the first answer that is not as it should be
   */
  public Tally run(Duration span, long mostRequests) throws IOException {
    long begun = System.nanoTime();
    long end = begun + span.toNanos();
    long now = begun;
    while (now < end && sent < mostRequests) {
      if (sent - answered == sentNs.length) {
        now = receive();
      } else {
        send(now);
      }
    }
    while (answered < sent) {
      now = receive();
    }
    return new Tally(answered, bytes, (now - begun) / 1e9, latencies);
  }

  private void send(long now) throws IOException {
    int connection = (int) (sent % connections.size());
    ByteBuffer frame = work.request(connection);
    Frame.number(frame, (int) sent);
    sentNs[(int) (sent % sentNs.length)] = now;
    sent++;
    connections.get(connection).send(frame);
  }

  private long receive() throws IOException {
    int connection = (int) (answered % connections.size());
    ByteBuffer answer = connections.get(connection).receive();
    if (answer.getInt(answer.position()) != (int) answered) {
      throw new RefusedException(
          "answer " + answer.getInt(answer.position()) + " came, expected " + (int) answered);
    }
    bytes += work.answered(connection, answer);
    long now = System.nanoTime();
    latencies.recordValue(now - sentNs[(int) (answered % sentNs.length)]);
    answered++;
    return now;
  }
}
