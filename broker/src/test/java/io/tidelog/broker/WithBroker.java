package io.tidelog.broker;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test with a fresh broker on a real directory and one client. */
abstract class WithBroker {
  @TempDir Path directory;
  TestBroker broker;
  DataClient client;

  @BeforeEach
  void start() throws IOException {
    broker = TestBroker.start(directory);
    client = broker.dataClient();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    broker.close();
  }

  /** A clean stop and a start on the same directory. */
  void restart() throws IOException {
    stop();
    start();
  }
}
