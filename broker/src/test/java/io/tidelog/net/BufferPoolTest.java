package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private static final int KIB = 1024;

  @Test
  void the_limit_holds_for_any_mix_of_sizes() throws Exception {
    long seed = 42;
    Random random = new Random(seed);
    BufferPool pool = new BufferPool(1000 * KIB);
    List<ByteBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (random.nextBoolean() || taken.isEmpty()) {
        int sizeBytes = 1 + random.nextInt(1 << random.nextInt(19));
        ByteBuffer buffer = pool.acquire(sizeBytes);
        if (buffer != null) {
          assertThat(buffer.remaining()).isGreaterThanOrEqualTo(sizeBytes);
          assertThat(buffer.capacity())
              .isLessThanOrEqualTo(Math.max(2 * BufferPool.SMALLEST_BYTES, 4 * sizeBytes));
          taken.add(buffer.position(buffer.capacity()));
        }
      } else {
        pool.release(taken.remove(random.nextInt(taken.size())));
      }
      long inUse = taken.stream().mapToLong(ByteBuffer::capacity).sum();
      assertThat(pool.usedBytes())
          .as("seed %d", seed)
          .isEqualTo(inUse)
          .isLessThanOrEqualTo(1000 * KIB);
    }
  }

  @Test
  void a_released_buffer_is_the_next_takers() throws Exception {
    BufferPool pool = new BufferPool(100 * KIB);
    ByteBuffer first = pool.acquire(10 * KIB);
    pool.release(first);
    assertThat(pool.acquire(9 * KIB)).isSameAs(first);
  }

  @Test
  void kept_buffers_make_room_for_another_size() throws Exception {
    BufferPool pool = new BufferPool(100 * KIB);
    pool.release(pool.acquire(80 * KIB));
    assertThat(pool.acquire(90 * KIB)).as("more than is there for long frames").isNull();
    List<ByteBuffer> small = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      small.add(pool.acquire(4 * KIB));
    }
    assertThat(small).doesNotContainNull();
    assertThat(pool.acquire(1)).isNull();
  }

  @Test
  void one_owner_at_a_time_may_pass_the_limit_to_finish_its_frame() throws Exception {
    BufferPool pool = new BufferPool(100 * KIB);
    ByteBuffer base = pool.acquire(80 * KIB);
    Object first = new Object();
    Object second = new Object();
    ByteBuffer beyond = pool.acquireToFinish(200 * KIB, first);
    assertThat(beyond).isNotNull();
    assertThat(pool.acquireToFinish(24 * KIB, second)).isNull();
    ByteBuffer larger = pool.acquireToFinish(400 * KIB, first);
    assertThat(larger).isNotNull();

    pool.release(beyond);
    assertThat(pool.acquireToFinish(24 * KIB, second))
        .as("while the first is still beyond")
        .isNull();
    pool.release(larger);
    assertThat(pool.acquireToFinish(24 * KIB, second)).isNotNull();
    pool.release(base);
  }

  @Test
  void an_eighth_is_for_small_buffers_alone() throws Exception {
    BufferPool pool = new BufferPool(128 * KIB);
    assertThat(pool.acquire(112 * KIB)).isNotNull();
    assertThat(pool.acquireToFinish(200 * KIB, new Object())).isNotNull();
    assertThat(pool.acquire(20 * KIB)).isNull();
    for (int i = 0; i < 4; i++) {
      assertThat(pool.acquire(4 * KIB)).as("small buffer %d", i).isNotNull();
    }
    assertThat(pool.acquire(4 * KIB)).isNull();
  }

  @Test
  void who_waits_is_told_once_of_the_next_release() throws Exception {
    BufferPool pool = new BufferPool(100 * KIB);
    ByteBuffer one = pool.acquire(KIB);
    ByteBuffer two = pool.acquire(KIB);
    AtomicInteger told = new AtomicInteger();
    pool.whenReleased(told::incrementAndGet);
    pool.release(one);
    pool.release(two);
    assertThat(told).hasValue(1);
  }

  @Test
  void memory_that_the_jvm_refuses_is_named_and_leaves_the_pool_as_it_was() throws Exception {
    int[] left = {1};
    BufferPool pool =
        new BufferPool(
            1 << 30,
            sizeBytes -> {
              if (left[0]-- <= 0) {
                throw new OutOfMemoryError("pretended");
              }
              return ByteBuffer.allocate(sizeBytes);
            });
    ByteBuffer only = pool.acquire(8 * KIB);
    assertThatThrownBy(() -> pool.acquire(100 * KIB))
        .isInstanceOf(NoMemoryException.class)
        .hasMessageContaining("-XX:MaxDirectMemorySize");
    assertThat(pool.usedBytes()).isEqualTo(8 * KIB);
    pool.release(only);
    assertThat(pool.usedBytes()).isZero();
  }
}
