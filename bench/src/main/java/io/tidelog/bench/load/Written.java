package io.tidelog.bench.load;

import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.ProduceWork;
import io.tidelog.bench.wire.Tally;
import io.tidelog.bench.wire.Topic;
import java.time.Duration;
import java.util.Map;

/**
 * A topic of one partition that was filled with 16 KiB batches, to be read.
 *
 * @param topic the topic
 * @param batchBytes exact size of each batch
 * @param records how many it holds
 */
record Written(Topic topic, int batchBytes, long records) {
  private static final int DEPTH = 16;

  static Written fill(Serving serving, long bytes) throws Exception {
    Topic topic = serving.topic(1, Map.of());
    var batch = Payload.KIB_16.batch();
    Pipeline pipeline = new Pipeline(serving.connect(1), ProduceWork.toAll(topic, batch), DEPTH);
    Tally tally = pipeline.run(Duration.ofMinutes(5), bytes / batch.sizeInBytes());
    long records = tally.requests() * Payload.KIB_16.records();
    EndOffsets.requireAdded(topic, 0, records);
    return new Written(topic, batch.sizeInBytes(), records);
  }
}
