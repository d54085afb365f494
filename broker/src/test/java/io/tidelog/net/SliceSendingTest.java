package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.net.HeldRequests.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SliceSendingTest {
  private static final int FILE_BYTES = 24 << 20;
  private static final int LARGE_BYTES = 8 << 20;

  @TempDir Path directory;
  private final HeldRequests fetches = new HeldRequests();
  private byte[] contents;
  private FileChannel file;

  @BeforeEach
  void writeFile() throws IOException {
    contents = new byte[FILE_BYTES];
    new Random(1).nextBytes(contents);
    Path path = directory.resolve("slices");
    Files.write(path, contents);
    file = FileChannel.open(path);
  }

  @AfterEach
  void closeFile() throws IOException {
    file.close();
  }

  @Test
  void slices_arrive_whole_in_their_partitions_and_are_released_once() throws Exception {
    TestSlice[] slices = {slice(5, 1000), slice(0, 0), slice(100, 1), slice(7, 300_000)};
    try (TestServer server = start();
        RawClient client = server.connect()) {
      client.send(TestSlice.fetch());
      fetches.take().answer().complete(TestSlice.answer(slices));
      FetchResponse response = (FetchResponse) client.receive();
      List<PartitionData> partitions = response.data().responses().get(0).partitions();
      assertHolds(partitions.get(0), 5, 1000);
      assertThat(partitions.get(1).records().sizeInBytes()).isZero();
      assertHolds(partitions.get(2), 100, 1);
      assertHolds(partitions.get(3), 7, 300_000);
      server.goRound(1);
    }
    assertThat(slices).extracting(TestSlice::releases).containsOnly(1);
    assertThat(slices)
        .as("sent from the file")
        .extracting(TestSlice::transfers)
        .startsWith(0, 0, 0);
    assertThat(slices).as("copied").extracting(TestSlice::reads).containsExactly(1, 0, 1, 0);
  }

  @Test
  void what_a_full_socket_leaves_of_copied_slices_goes_on_from_their_file() throws Exception {
    List<TestSlice[]> answers = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      answers.add(new TestSlice[] {slice(i, 30_000), slice(i + 7, 20_000), slice(i + 9, 32_000)});
    }
    List<TestSlice> all = answers.stream().flatMap(Arrays::stream).toList();
    Iterator<TestSlice[]> next = answers.iterator();
    try (TestServer server =
            TestServer.start(
                Map.of(
                    ApiKeys.FETCH,
                    (request, answer) -> answer.complete(TestSlice.answer(next.next()))));
        RawClient client = server.connect(64 << 10)) {
      for (int i = 0; i < answers.size(); i++) {
        client.send(TestSlice.fetch());
      }
      server.goRound(5);
      assertThat(all).as("slices that are not sent").anyMatch(slice -> slice.releases() == 0);
      for (TestSlice[] slices : answers) {
        FetchResponse response = (FetchResponse) client.receive();
        List<PartitionData> partitions = response.data().responses().get(0).partitions();
        for (int i = 0; i < slices.length; i++) {
          assertHolds(partitions.get(i), slices[i].start(), slices[i].sizeBytes());
        }
      }
      server.goRound(1);
    }
    assertThat(all).extracting(TestSlice::releases).containsOnly(1);
    assertThat(all)
        .as("slices that went on from their file")
        .anyMatch(slice -> slice.reads() > 0 && slice.transfers() > 0);
  }

  @Test
  void a_slow_reader_gets_everything_and_keeps_nobody_busy() throws Exception {
    TestSlice[] slices = {
      slice(0, LARGE_BYTES), slice(LARGE_BYTES, LARGE_BYTES), slice(2 * LARGE_BYTES, LARGE_BYTES)
    };
    try (TestServer server = start();
        RawClient client = server.connect(64 << 10)) {
      client.send(TestSlice.fetch());
      fetches.take().answer().complete(TestSlice.answer(slices));
      server.goRound(5);
      int transfersOnceFull = slices[0].transfers();
      server.goRound(100);
      assertThat(slices[0].transfers())
          .as("attempts to send to a full socket")
          .isEqualTo(transfersOnceFull);
      assertThat(slices).extracting(TestSlice::releases).containsOnly(0);

      FetchResponse response = (FetchResponse) client.receive();
      List<PartitionData> partitions = response.data().responses().get(0).partitions();
      for (int i = 0; i < slices.length; i++) {
        assertHolds(partitions.get(i), i * LARGE_BYTES, LARGE_BYTES);
      }
      server.goRound(1);
    }
    assertThat(slices).extracting(TestSlice::releases).containsOnly(1);
  }

  @Test
  void answers_behind_a_slow_one_follow_it_in_order() throws Exception {
    TestSlice large = slice(0, LARGE_BYTES);
    try (TestServer server =
            TestServer.start(
                Map.of(
                    ApiKeys.FETCH,
                    (request, answer) -> answer.complete(TestSlice.answer(large)),
                    ApiKeys.METADATA,
                    TestServer::echo));
        RawClient client = server.connect(64 << 10)) {
      client.send(TestSlice.fetch());
      for (int i = 0; i < 50; i++) {
        client.send(TestServer.ask("after" + i));
      }
      FetchResponse response = (FetchResponse) client.receive();
      assertHolds(response.data().responses().get(0).partitions().get(0), 0, LARGE_BYTES);
      for (int i = 0; i < 50; i++) {
        assertThat(TestServer.echoed(client.receive())).isEqualTo("after" + i);
      }
    }
  }

  @Test
  void slices_are_released_once_when_the_client_vanishes_in_the_middle() throws Exception {
    TestSlice[] slices = {slice(0, LARGE_BYTES), slice(LARGE_BYTES, LARGE_BYTES)};
    try (TestServer server = start();
        RawClient client = server.connect(64 << 10)) {
      client.send(TestSlice.fetch());
      fetches.take().answer().complete(TestSlice.answer(slices));
      client.receiveBytes(1000);
      client.vanish();
      assertThat(slices[0].awaitRelease()).isTrue();
      assertThat(slices[1].awaitRelease()).isTrue();
      server.goRound(3);
    }
    assertThat(slices).extracting(TestSlice::releases).containsOnly(1);
  }

  @Test
  void slices_of_an_answer_that_comes_after_its_client_has_gone_are_released_once()
      throws Exception {
    TestSlice slice = slice(0, 1000);
    TestSlice sliceOfTooLate = slice(0, 1000);
    try (TestServer server = start()) {
      Held waiting;
      try (RawClient client = server.connect()) {
        client.send(TestSlice.fetch());
        waiting = fetches.take();
        client.vanish();
      }
      waiting.answer().complete(TestSlice.answer(slice));
      assertThat(slice.awaitRelease()).isTrue();
      server.goRound(1);
      assertThat(slice.releases()).isEqualTo(1);

      RawClient client = server.connect();
      client.send(TestSlice.fetch());
      waiting = fetches.take();
      server.server().close();
      waiting.answer().complete(TestSlice.answer(sliceOfTooLate));
      client.close();
    }
    assertThat(sliceOfTooLate.releases()).isEqualTo(1);
  }

  @Test
  void a_slice_that_yields_fewer_bytes_than_it_promised_ends_the_connection() throws Exception {
    TestSlice broken = new TestSlice(file, FILE_BYTES - 10, 1000);
    try (TestServer server = start();
        CapturedLog log = CapturedLog.start();
        RawClient client = server.connect()) {
      client.send(TestSlice.fetch());
      fetches.take().answer().complete(TestSlice.answer(broken));
      assertThat(broken.awaitRelease()).isTrue();
      assertThat(log.linesWith("yields no more bytes")).hasSize(1);
    }
  }

  private TestServer start() throws IOException {
    return TestServer.start(
        Map.of(ApiKeys.FETCH, fetches), TestServer.limits(old -> old.withDrainMs(300)));
  }

  private TestSlice slice(int start, int sizeBytes) {
    return new TestSlice(file, start, sizeBytes);
  }

  private void assertHolds(PartitionData partition, int start, int sizeBytes) {
    ByteBuffer records = ((MemoryRecords) partition.records()).buffer();
    assertThat(records.equals(ByteBuffer.wrap(contents, start, sizeBytes)))
        .as(
            "partition %d equals bytes %d to %d",
            partition.partitionIndex(), start, start + sizeBytes)
        .isTrue();
  }
}
