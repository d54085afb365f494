package io.tidelog.it.matrix;

import io.tidelog.it.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The one broker that all clients of the matrix go to, and the script that they write. */
final class MatrixBroker implements AutoCloseable {
  private final BrokerProcess process;
  private final Path directory;
  private final List<ScriptRecord> script;

  private MatrixBroker(BrokerProcess process, Path directory, List<ScriptRecord> script) {
    this.process = process;
    this.directory = directory;
    this.script = script;
  }

  static MatrixBroker start(Path directory) throws IOException {
    List<ScriptRecord> script = Script.recordsBefore(Instant.now().minusSeconds(60).toEpochMilli());
    Script.write(directory.resolve("script.tsv"), script);
    BrokerProcess process =
        BrokerProcess.start(
            BrokerProcess.Options.of(directory.resolve("data"))
                .with(
                    "group.initial.rebalance.delay.ms=0",
                    "group.min.session.timeout.ms=1000",
                    "group.consumer.heartbeat.interval.ms=500",
                    "group.consumer.min.heartbeat.interval.ms=500",
                    "group.streams.heartbeat.interval.ms=500",
                    "group.streams.min.heartbeat.interval.ms=500",
                    "group.streams.session.timeout.ms=2000",
                    "group.streams.min.session.timeout.ms=2000",
                    "group.streams.initial.rebalance.delay.ms=0",
                    "offsets.topic.num.partitions=5"));
    return new MatrixBroker(process, directory, script);
  }

  String bootstrap() {
    return process.bootstrap();
  }

  Path data() {
    return directory.resolve("data");
  }

  Path scriptFile() {
    return directory.resolve("script.tsv");
  }

  List<ScriptRecord> script() {
    return script;
  }

  int stop() throws InterruptedException {
    return process.stop();
  }

  @Override
  public void close() {
    process.close();
  }
}
