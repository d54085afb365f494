package io.tidelog.bench.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/** A request as it goes over the wire: four bytes of size, header, body. */
public final class Frame {
  private static final int CORRELATION_AT = 8;

  private Frame() {}

  /** A request in a buffer outside of the heap, ready to be sent. */
  static ByteBuffer of(ApiKeys api, short version, ApiMessage body) {
    RequestHeader header = new RequestHeader(api, version, "bench", 0);
    ByteBuffer message =
        RequestUtils.serialize(header.data(), header.headerVersion(), body, version);
    return ByteBuffer.allocateDirect(Integer.BYTES + message.remaining())
        .putInt(message.remaining())
        .put(message)
        .flip();
  }

  /** Numbers a request; its answer has the same number. */
  static void number(ByteBuffer frame, int correlation) {
    frame.putInt(CORRELATION_AT, correlation);
  }

  /**
   * Where a part of a request lies.
   *
   * @throws IllegalStateException if it is not there, or twice
   */
  static int find(ByteBuffer frame, ByteBuffer part) {
    int found = -1;
    for (int at = frame.position(); at + part.remaining() <= frame.limit(); at++) {
      if (frame.get(at) == part.get(part.position())
          && frame.slice(at, part.remaining()).equals(part)) {
        if (found >= 0) {
          throw new IllegalStateException("the part is there twice");
        }
        found = at;
      }
    }
    if (found < 0) {
      throw new IllegalStateException("the part is not there");
    }
    return found;
  }
}
