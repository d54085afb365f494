package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A large file of real lines goes in through strangers' producers and comes back the same through
 * strangers' consumers, also after a restart.
 */
class RealInputIT {
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

  @TempDir Path directory;

  @Test
  void lines_come_back_byte_identical_through_every_client_before_and_after_a_restart()
      throws Exception {
    Path input = RealLines.into(directory.resolve("input.txt"));
    List<String> lines = RealLines.of(input);
    BrokerProcess.Options options = BrokerProcess.Options.of(directory.resolve("data"));
    try (BrokerProcess broker = BrokerProcess.start(options)) {
      for (String codec : CODECS) {
        Command.kcat(
            directory.resolve("produce-" + codec),
            broker,
            "-P",
            "-t",
            "kcat-" + codec,
            "-z",
            codec,
            "-l",
            input.toString());
      }
      JavaClients.produce(broker.bootstrap(), "java", lines);
      checkAll(broker, input, lines, "first");
      assertThat(broker.stop()).isZero();
    }
    try (BrokerProcess broker = BrokerProcess.start(options)) {
      checkAll(broker, input, lines, "second");
      assertThat(broker.stop()).isZero();
    }
  }

  private void checkAll(BrokerProcess broker, Path input, List<String> lines, String run)
      throws Exception {
    for (String codec : CODECS) {
      check(broker, input, lines, "kcat-" + codec, run);
    }
    check(broker, input, lines, "java", run);
  }

  private void check(BrokerProcess broker, Path input, List<String> lines, String topic, String run)
      throws Exception {
    Path byKcat = directory.resolve(topic + "-" + run + ".kcat");
    Command.kcat(byKcat, broker, "-C", "-t", topic, "-o", "beginning", "-e", "-q");
    assertThat(Files.mismatch(input, byKcat)).as("kcat reads %s", topic).isEqualTo(-1);
    Path byTidelog = directory.resolve(topic + "-" + run + ".tidelog");
    Command.java(
        byTidelog,
        "io.tidelog.cli.Tidelog",
        "consume",
        topic,
        "--from",
        "beginning",
        "--exit-at-end",
        "--bootstrap",
        broker.bootstrap());
    assertThat(Files.mismatch(input, byTidelog))
        .as("tidelog consume reads %s", topic)
        .isEqualTo(-1);
    assertThat(JavaClients.valuesByAssign(broker.bootstrap(), topic, lines.size()))
        .isEqualTo(lines);
    assertThat(JavaClients.valuesByGroup(broker.bootstrap(), topic, "group-" + run, lines.size()))
        .isEqualTo(lines);
  }
}
