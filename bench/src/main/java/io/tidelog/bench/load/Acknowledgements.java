package io.tidelog.bench.load;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Remembers the first record that a Java producer could not send. */
final class Acknowledgements implements Callback {
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  @Override
  public void onCompletion(RecordMetadata metadata, Exception exception) {
    if (exception != null) {
      failure.compareAndSet(null, exception);
    }
  }

  /** Nothing if all went well so far. */
  void requireAll() throws IOException {
    if (failure.get() != null) {
      throw new IOException("a record could not be sent", failure.get());
    }
  }
}
