package io.tidelog.topic;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Gives producer ids out, each once for ever. A block of ids is taken in the metadata log before
 * the first of them is given; after a restart the rest of a block is left unused.
 */
final class ProducerIds {
  private static final int BLOCK = 1000;

  /** There is one broker, so nobody compares its epoch. */
  private static final long BROKER_EPOCH = 0;

  private final ChangeLine line;
  private final int nodeId;
  private long next;
  private long end;
  private CompletableFuture<Void> refill = CompletableFuture.completedFuture(null);

  ProducerIds(ChangeLine line, int nodeId) {
    this.line = line;
    this.nodeId = nodeId;
  }

  synchronized CompletableFuture<Long> next() {
    if (next < end) {
      return CompletableFuture.completedFuture(next++);
    }
    if (refill.isDone()) {
      refill = line.submit(this::takeBlock).thenAccept(this::use);
    }
    return refill.thenCompose(done -> next());
  }

  private Change.Decision<Long> takeBlock(MetadataImage image) {
    long first = Math.max(0, image.producerIds().nextProducerId());
    ProducerIdsRecord record =
        new ProducerIdsRecord()
            .setBrokerId(nodeId)
            .setBrokerEpoch(BROKER_EPOCH)
            .setNextProducerId(first + BLOCK);
    return new Change.Decision<>(List.of(new ApiMessageAndVersion(record, (short) 0)), first);
  }

  private synchronized void use(long first) {
    next = first;
    end = first + BLOCK;
  }
}
