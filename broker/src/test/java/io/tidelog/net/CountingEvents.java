package io.tidelog.net;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.protocol.ApiKeys;

/** Counts what a server tells. */
final class CountingEvents implements NetEvents {
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger answered = new AtomicInteger();
  final AtomicInteger bad = new AtomicInteger();
  final AtomicInteger sends = new AtomicInteger();
  final AtomicLong receivedBytes = new AtomicLong();
  final AtomicLong sentBytes = new AtomicLong();
  private final CountDownLatch memorySpent = new CountDownLatch(1);

  @Override
  public void connectionOpened() {
    opened.incrementAndGet();
  }

  @Override
  public void connectionClosed() {
    closed.incrementAndGet();
  }

  @Override
  public void received(long bytes) {
    receivedBytes.addAndGet(bytes);
  }

  @Override
  public void sent(long bytes) {
    sends.incrementAndGet();
    sentBytes.addAndGet(bytes);
  }

  @Override
  public void answered(ApiKeys api, short version, long elapsedNanos) {
    answered.incrementAndGet();
  }

  @Override
  public void badInput() {
    bad.incrementAndGet();
  }

  @Override
  public void receiveMemorySpent() {
    memorySpent.countDown();
  }

  boolean awaitMemorySpent() throws InterruptedException {
    return memorySpent.await(RawClient.TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }
}
