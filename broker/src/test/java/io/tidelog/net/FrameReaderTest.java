package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.protocol.FrameBuffer;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static final int MAX_FRAME_BYTES = 10 << 20;
  private static final int LIMIT_BYTES = 64 << 20;

  private final BufferPool pool = new BufferPool(LIMIT_BYTES);
  private final FrameReader reader = new FrameReader(pool, MAX_FRAME_BYTES);

  @Test
  void any_frames_in_any_pieces_come_out_as_they_went_in() throws Exception {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<byte[]> frames = randomFrames(random);
      Arriving stream = Arriving.of(frames, 1 + random.nextInt(1 << random.nextInt(18)));
      List<byte[]> held = new ArrayList<>();
      List<ByteBuffer> views = new ArrayList<>();
      List<FrameBuffer> claims = new ArrayList<>();
      while (held.size() < frames.size()) {
        assertThat(reader.makeRoom()).isTrue();
        reader.read(stream);
        while (reader.hasNext()) {
          ByteBuffer frame = reader.next();
          claims.add(reader.claim());
          views.add(frame);
          held.add(copy(frame));
        }
        reader.rest();
        if (random.nextInt(4) == 0) {
          assertUntouched(views, held, seed);
          claims.forEach(FrameBuffer::release);
          claims.clear();
          views.clear();
        }
      }
      claims.forEach(FrameBuffer::release);
      for (int i = 0; i < frames.size(); i++) {
        assertThat(held.get(i)).as("seed %d frame %d", seed, i).isEqualTo(frames.get(i));
      }
      assertThat(pool.usedBytes()).as("seed %d", seed).isZero();
    }
  }

  @Test
  void memory_follows_the_bytes_that_have_come_and_not_the_length_announced() throws Exception {
    byte[] frame = new byte[MAX_FRAME_BYTES];
    Arriving stream = Arriving.of(List.of(frame), 5_000);
    long come = 0;
    while (!reader.hasNext()) {
      reader.makeRoom();
      come += reader.read(stream);
      assertThat(pool.usedBytes()).isLessThanOrEqualTo(BufferPool.SMALLEST_BYTES + 3 * come);
    }
    assertThat(reader.next().remaining()).isEqualTo(MAX_FRAME_BYTES);
    reader.close();
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void frames_of_the_usual_size_are_received_in_one_place() throws Exception {
    byte[] frame = new byte[1 << 20];
    Arriving stream = Arriving.of(List.of(frame, frame, frame, frame), 100_000);
    int moves = 0;
    for (int i = 0; i < 4; i++) {
      moves = 0;
      long used = 0;
      while (!reader.hasNext()) {
        reader.makeRoom();
        moves += pool.usedBytes() != used ? 1 : 0;
        used = pool.usedBytes();
        reader.read(stream);
      }
      reader.next();
      reader.rest();
    }
    assertThat(moves).as("buffers used for the last frame").isEqualTo(1);
  }

  @Test
  void a_spent_pool_stops_reading_and_nothing_that_came_is_lost() throws Exception {
    BufferPool small = new BufferPool(64 << 10);
    ByteBuffer rest = small.acquire(56 << 10);
    ByteBuffer lastButOne = small.acquire(4 << 10);
    FrameReader first = new FrameReader(small, MAX_FRAME_BYTES);
    FrameReader second = new FrameReader(small, MAX_FRAME_BYTES);
    byte[] frame = new byte[20_000];
    new Random(3).nextBytes(frame);
    Arriving stream = Arriving.of(List.of(frame), 3_000);
    assertThat(first.makeRoom()).isTrue();
    first.read(stream);
    assertThat(second.makeRoom()).isFalse();
    small.release(rest);
    small.release(lastButOne);
    assertThat(second.makeRoom()).isTrue();
    while (!first.hasNext()) {
      assertThat(first.makeRoom()).isTrue();
      first.read(stream);
    }
    assertThat(copy(first.next())).isEqualTo(frame);
  }

  @Test
  void frames_that_together_fill_the_memory_are_all_received_in_the_end() throws Exception {
    BufferPool small = new BufferPool(64 << 10);
    List<FrameReader> readers = new ArrayList<>();
    List<Arriving> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(new FrameReader(small, MAX_FRAME_BYTES));
      streams.add(Arriving.of(List.of(new byte[100_000]), 4_000));
    }
    int received = 0;
    for (int round = 0; round < 1_000 && received < 4; round++) {
      for (int i = 0; i < readers.size(); i++) {
        if (readers.get(i).makeRoom()) {
          readers.get(i).read(streams.get(i));
        }
        if (readers.get(i).hasNext()) {
          received++;
          readers.remove(i).close();
          streams.remove(i);
        }
      }
    }
    assertThat(received).isEqualTo(4);
    assertThat(small.usedBytes()).isZero();
  }

  @Test
  void what_is_no_frame_is_named() throws Exception {
    assertRefused(0, "a frame of 0 bytes is announced, but from 1 to " + MAX_FRAME_BYTES);
    assertRefused(-1, "a frame of -1 bytes");
    assertRefused(MAX_FRAME_BYTES + 1, "socket.request.max.bytes");
    assertRefused(0x47455420, "this is an HTTP request (\"GET\")");
    assertRefused(0x16030100, "this is a TLS handshake");
  }

  private void assertRefused(int length, String message) throws Exception {
    FrameReader fresh = new FrameReader(pool, MAX_FRAME_BYTES);
    fresh.makeRoom();
    fresh.read(new Arriving(ByteBuffer.allocate(4).putInt(0, length), 4));
    assertThat(fresh.hasNext()).isTrue();
    assertThatThrownBy(fresh::next)
        .isInstanceOf(BadFrameException.class)
        .hasMessageContaining(message);
    fresh.close();
  }

  private static List<byte[]> randomFrames(Random random) {
    List<byte[]> frames = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      byte[] frame = new byte[1 + random.nextInt(1 << random.nextInt(19))];
      random.nextBytes(frame);
      frames.add(frame);
    }
    return frames;
  }

  private static void assertUntouched(List<ByteBuffer> views, List<byte[]> held, long seed) {
    for (int i = 0; i < views.size(); i++) {
      byte[] then = held.get(held.size() - views.size() + i);
      assertThat(copy(views.get(i).duplicate())).as("seed %d", seed).isEqualTo(then);
    }
  }

  private static byte[] copy(ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining()];
    frame.duplicate().get(bytes);
    return bytes;
  }

  /** A stream that gives at most so many bytes at a time. */
  private record Arriving(ByteBuffer bytes, int pieceBytes) implements ReadableByteChannel {

    static Arriving of(List<byte[]> frames, int pieceBytes) {
      int total = frames.stream().mapToInt(frame -> frame.length + 4).sum();
      ByteBuffer all = ByteBuffer.allocate(total);
      frames.forEach(frame -> all.putInt(frame.length).put(frame));
      return new Arriving(all.flip(), pieceBytes);
    }

    @Override
    public int read(ByteBuffer target) {
      int count = Math.min(pieceBytes, Math.min(target.remaining(), bytes.remaining()));
      target.put(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
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
