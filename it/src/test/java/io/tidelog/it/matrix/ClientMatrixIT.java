package io.tidelog.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every client passes its rows, and what it wrote lies in the log as it should. A line {@code
 * MATRIX client version: rows} is printed for each.
 */
class ClientMatrixIT {
  @TempDir static Path directory;
  private static MatrixBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = MatrixBroker.start(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    try (MatrixBroker stopped = broker) {
      assertThat(stopped.stop()).isZero();
    }
  }

  static List<ClientProgram> clients() {
    return MatrixClients.all().toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clients")
  void every_client_passes_all_of_its_rows(ClientProgram client) throws Exception {
    long began = System.nanoTime();
    String nameAndVersion = client.run(broker, directory);
    for (String codec : Script.CODECS) {
      if (client.rows().contains("produce-" + codec)) {
        checkWritten(client, codec);
      }
    }
    System.out.printf(
        "MATRIX %s: %s: %d rows passed (%d s)%n",
        nameAndVersion,
        String.join(", ", client.rows()),
        client.rows().size(),
        (System.nanoTime() - began) / 1_000_000_000);
  }

  private static void checkWritten(ClientProgram client, String codec) throws IOException {
    WrittenLog log = WrittenLog.of(broker.data(), client.topic(codec));
    log.assertCompressedWith(codec);
    if (client.records() == ClientProgram.Records.OF_SCRIPT) {
      assertThat(log.records()).as("%s %s", client, codec).isEqualTo(broker.script());
    }
  }
}
