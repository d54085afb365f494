package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.protocol.FrameBuffer;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes from a socket, in whatever pieces, frames come out as they went in, up to the
 * first length that is none; memory follows the bytes that came, and all of it goes back.
 *
 * <p>The first byte of an input chooses the size of the pieces, the second which claims are kept
 * for how long, the rest is what comes.
 */
class FrameReaderFuzzTest implements FuzzTarget {
  private static final int CHOICE_BYTES = 2;
  private static final int MAX_FRAME_BYTES = 1 << 20;
  private static final int LIMIT_BYTES = 8 << 20;

  @Test
  void every_known_input_comes_out_in_frames() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.net.**");
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        ByteBuffer.allocate(50)
            .put((byte) 7)
            .put((byte) 1)
            .putInt(5)
            .put(new byte[5])
            .putInt(0x20)
            .array(),
        ByteBuffer.allocate(1_000).put((byte) 90).put((byte) 9).putInt(994).array(),
        ByteBuffer.allocate(60)
            .put((byte) 1)
            .put((byte) 3)
            .putInt(1)
            .put((byte) 1)
            .putInt(2)
            .array(),
        ByteBuffer.allocate(20)
            .put((byte) 1)
            .put((byte) 3)
            .put("GET / HTTP/1.1\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
            .array());
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length < CHOICE_BYTES) {
      return;
    }
    byte[] stream = Arrays.copyOfRange(input, CHOICE_BYTES, input.length);
    Pieces pieces = new Pieces(stream, 1 + Byte.toUnsignedInt(input[0]));
    BufferPool pool = new BufferPool(LIMIT_BYTES);
    FrameReader reader = new FrameReader(pool, MAX_FRAME_BYTES);
    int keepFor = 1 + Byte.toUnsignedInt(input[1]) % 8;
    List<byte[]> frames = new ArrayList<>();
    boolean isRefused = false;
    try {
      receive(reader, pieces, keepFor, frames, pool);
    } catch (BadFrameException refused) {
      assertThat(refused.getMessage()).isNotBlank().hasLineCount(1);
      isRefused = true;
    }
    reader.close();
    assertThat(pool.usedBytes()).isZero();
    agree(stream, frames, isRefused);
  }

  /** Takes frames until the stream ends. */
  private static void receive(
      FrameReader reader, Pieces pieces, int keepFor, List<byte[]> frames, BufferPool pool)
      throws IOException, BadFrameException {
    List<FrameBuffer> claims = new ArrayList<>();
    try {
      while (true) {
        assertThat(reader.makeRoom()).isTrue();
        if (reader.read(pieces) < 0) {
          return;
        }
        while (reader.hasNext()) {
          ByteBuffer frame = reader.next();
          claims.add(reader.claim());
          byte[] bytes = new byte[frame.remaining()];
          frame.get(bytes);
          frames.add(bytes);
        }
        reader.rest();
        if (claims.size() >= keepFor) {
          claims.forEach(FrameBuffer::release);
          claims.clear();
        }
        if (claims.isEmpty()) {
          assertThat(pool.usedBytes())
              .isLessThanOrEqualTo(2L * BufferPool.SMALLEST_BYTES + 8L * pieces.given());
        }
      }
    } finally {
      claims.forEach(FrameBuffer::release);
    }
  }

  /** What a reader of the whole stream at once finds. */
  private static void agree(byte[] stream, List<byte[]> frames, boolean isRefused) {
    ByteBuffer left = ByteBuffer.wrap(stream);
    int number = 0;
    while (left.remaining() >= Integer.BYTES) {
      int length = left.getInt();
      if (length <= 0 || length > MAX_FRAME_BYTES) {
        assertThat(isRefused).isTrue();
        assertThat(frames).hasSize(number);
        return;
      }
      if (length > left.remaining()) {
        break;
      }
      byte[] frame = new byte[length];
      left.get(frame);
      assertThat(frames).hasSizeGreaterThan(number);
      assertThat(frames.get(number++)).isEqualTo(frame);
    }
    assertThat(isRefused).isFalse();
    assertThat(frames).hasSize(number);
  }

  /** A channel that gives a stream in pieces of one size. */
  private static final class Pieces implements ReadableByteChannel {
    private final ByteBuffer stream;
    private final int pieceBytes;

    Pieces(byte[] stream, int pieceBytes) {
      this.stream = ByteBuffer.wrap(stream);
      this.pieceBytes = pieceBytes;
    }

    int given() {
      return stream.position();
    }

    @Override
    public int read(ByteBuffer target) {
      if (!stream.hasRemaining()) {
        return -1;
      }
      int count = Math.min(pieceBytes, Math.min(target.remaining(), stream.remaining()));
      target.put(stream.slice(stream.position(), count));
      stream.position(stream.position() + count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
