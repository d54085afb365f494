package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.PartitionFolder.State;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.junit.jupiter.api.Test;

/**
 * Whatever a file or a folder in a data directory is called, its name is understood, as Kafka
 * understands it, or it is none of ours; a name that is understood never leads out of its folder.
 */
class NamesFuzzTest implements FuzzTarget {
  private static final Path FOLDER = Path.of("/data");
  private static final int MAX_NAME_CHARS = 255;

  @Test
  void every_known_name_is_understood_or_none_of_ours() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.checkpoint.**", "io.tidelog.segment.SegmentFiles");
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OneFile.bytes("orders-0"),
        OneFile.bytes("my-topic.a_b-12"),
        OneFile.bytes("a-2147483647.f00-delete"),
        OneFile.bytes("a-3.0123456789abcdef0123456789abcdef-future"),
        OneFile.bytes("a-3.x-stray"),
        OneFile.bytes("00000000000000000017.log"),
        OneFile.bytes("09223372036854775807.timeindex"),
        OneFile.bytes("00000000000000000017.snapshot"));
  }

  @Override
  public void check(byte[] input) {
    String name = new String(input, StandardCharsets.UTF_8);
    boolean isPossible = name.indexOf('/') < 0 && name.indexOf(0) < 0;
    if (isPossible && name.length() <= MAX_NAME_CHARS) {
      PartitionFolder.parse(name).ifPresent(folder -> isUnderstood(name, folder));
      for (String suffix : SegmentFiles.DATA_SUFFIXES) {
        isUnderstood(name, suffix);
      }
      isUnderstood(name, SegmentFiles.SNAPSHOT);
    }
  }

  private static void isUnderstood(String name, PartitionFolder folder) {
    TopicPartition partition = folder.partition();
    assertThat(TopicPartition.problemWithTopic(partition.topic())).isEmpty();
    assertThat(FOLDER.resolve(partition.folderName()).normalize().getParent()).isEqualTo(FOLDER);
    if (folder.state() == State.LIVE) {
      assertThat(partition.folderName()).isEqualTo(name);
    } else {
      String aside = PartitionFolder.nameAside(partition, folder.state(), "f00");
      assertThat(PartitionFolder.parse(aside)).contains(folder);
    }
    assertThat(byKafka(name)).contains(partition);
  }

  private static Optional<TopicPartition> byKafka(String name) {
    try {
      var found = LocalLog.parseTopicPartitionName(new File("/data", name));
      return Optional.of(new TopicPartition(found.topic(), found.partition()));
    } catch (Exception notForKafka) {
      return Optional.empty();
    }
  }

  private static void isUnderstood(String name, String suffix) {
    OptionalLong baseOffset = SegmentFiles.baseOffset(name, suffix);
    if (baseOffset.isPresent()) {
      assertThat(baseOffset.getAsLong()).isNotNegative();
      assertThat(SegmentFiles.path(FOLDER, baseOffset.getAsLong(), suffix))
          .isEqualTo(FOLDER.resolve(name));
      assertThat(LogFileUtils.offsetFromFileName(name)).isEqualTo(baseOffset.getAsLong());
    }
  }
}
