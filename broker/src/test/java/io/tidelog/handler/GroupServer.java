package io.tidelog.handler;

import io.tidelog.coordinator.GroupSettings;
import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.MovedTime;
import io.tidelog.coordinator.TransactionSettings;
import io.tidelog.coordinator.Transactions;
import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.AnswerEncoder;
import io.tidelog.protocol.AnswerSink;
import io.tidelog.protocol.BadRequestException;
import io.tidelog.protocol.BrokerFacts;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.protocol.Peer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestDecoder;
import io.tidelog.protocol.SliceRecords;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreEvents;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.topic.IdentityFiles;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.ServerSettings;
import io.tidelog.topic.Topic;
import io.tidelog.topic.TopicAdmin;
import io.tidelog.topic.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * The group APIs over real logs, without sockets: requests and answers go through their wire form,
 * and the memory of a request is overwritten as soon as it is let go. Time moves only by {@link
 * #time}.
 */
final class GroupServer implements AutoCloseable {
  static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 9092);
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  /** Without upkeep of the logs, so that hours of a test's clock cost no disk writes. */
  private static final StoreSettings IDLE_STORE =
      new StoreSettings(StoreSettings.DEFAULTS.logSettings(), DAY_MS, DAY_MS, DAY_MS, 1);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long POLL_MS = 2;

  final MovedTime time;
  final Topics topics;
  final Transactions transactions;
  final Groups groups;
  private final Disk disk;
  private final Path directory;
  private final Map<String, String> settings;
  private final LogStore store;
  private final OfferedApis apis;
  private final RequestDecoder decoder;
  private int correlationId;
  private BooleanSupplier isGone = () -> false;

  private GroupServer(Disk disk, Path directory, Map<String, String> settings, MovedTime time)
      throws IOException {
    this.disk = disk;
    this.directory = directory;
    this.settings = settings;
    this.time = time;
    Surroundings around =
        new Surroundings(disk, time, new SplittableRandom(7), time, StoreEvents.SILENT);
    store = LogStore.open(List.of(directory), IDLE_STORE, around);
    topics =
        Topics.open(
            store,
            new IdentityFiles(around.disk(), List.of(directory), around.random())
                .readOrCreate(OptionalInt.empty()),
            new ServerSettings(settings),
            around);
    transactions = Transactions.over(topics, TransactionSettings.of(settings), around);
    groups = Groups.over(topics, GroupSettings.of(settings), transactions, around);
    OfferedApis.Builder offered = OfferedApis.builder(new NoFacts());
    GroupApis.offer(offered, groups, transactions, topics, AdvertisedAddress.AS_CONNECTED);
    TransactionApis.offer(offered, transactions, groups, topics);
    GroupApis.offerConsumerProtocol(offered, groups, topics);
    GroupApis.offerStreamsProtocol(offered, groups, topics);
    apis = offered.build();
    decoder = new RequestDecoder(apis);
  }

  /** Starts on a directory, new or left by another; groups need not wait before they form. */
  static GroupServer start(Path directory) throws IOException {
    return start(directory, Map.of());
  }

  static GroupServer start(Path directory, Map<String, String> settings) throws IOException {
    return startOn(new NioDisk(), directory, settings);
  }

  static GroupServer startOn(Disk disk, Path directory, Map<String, String> settings)
      throws IOException {
    return startOn(disk, directory, settings, new MovedTime());
  }

  /** Starts when this clock shows this time. */
  static GroupServer startOn(
      Disk disk, Path directory, Map<String, String> settings, MovedTime time) throws IOException {
    Map<String, String> all = new HashMap<>();
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("offsets.topic.num.partitions", "4");
    all.put("transaction.state.log.num.partitions", "2");
    all.putAll(settings);
    return new GroupServer(disk, directory, all, time);
  }

  /** Stops cleanly and starts again with the same settings; no time passes. */
  GroupServer restart() throws IOException {
    close();
    return new GroupServer(disk, directory, settings, new MovedTime(time.millis()));
  }

  OfferedApis apis() {
    return apis;
  }

  Topic createTopic(String name, int partitions) {
    NewTopic wish = NewTopic.named(name).withPartitions(partitions);
    join(topics.admin().create(List.of(wish), TopicAdmin.Intent.CARRY_OUT));
    return topics.find(name).orElseThrow();
  }

  void deleteTopic(String name) {
    join(topics.admin().delete(List.of(topics.find(name).orElseThrow().id())));
  }

  /** Asks and waits for the answer. */
  <T extends AbstractResponse> T ask(AbstractRequest request, Class<T> type) {
    return join(send(request, type));
  }

  /** Waits for an answer; what is due by the clock as it stands gets done meanwhile. */
  <T> T join(CompletableFuture<T> answer) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < deadline) {
      requireThere();
      time.advanceMs(0);
      try {
        return answer.get(POLL_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // Once more, with the work that came due meanwhile.
      } catch (ExecutionException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("no answer in time");
  }

  /** Thrown instead of waiting for what will not come. */
  static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Has all waiting end with {@link GoneException} once this is so. */
  void goneWhen(BooleanSupplier condition) {
    isGone = condition;
  }

  private void requireThere() {
    if (isGone.getAsBoolean()) {
      throw new GoneException();
    }
  }

  /** Waits until this is so. */
  void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      requireThere();
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not become so in time");
      }
      Thread.onSpinWait();
    }
  }

  /** Asks, at the version of the request; the future gets the answer as a client reads it. */
  <T extends AbstractResponse> CompletableFuture<T> send(AbstractRequest request, Class<T> type) {
    RequestHeader header =
        new RequestHeader(request.apiKey(), request.version(), "client", ++correlationId);
    byte[] frame = bytes(request.serializeWithHeader(header));
    CompletableFuture<T> answered = new CompletableFuture<>();
    try {
      Request decoded =
          decoder.decode(
              ByteBuffer.wrap(frame), peer(), null, () -> Arrays.fill(frame, (byte) 0xee));
      apis.handler(request.apiKey())
          .handle(decoded, new OneAnswer(decoded, header, type, answered));
    } catch (BadRequestException e) {
      answered.completeExceptionally(e);
    }
    return answered;
  }

  private static Peer peer() {
    return new Peer(
        "1", ADDRESS, new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000), "PLAINTEXT");
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    transactions.close();
    groups.close();
    topics.close();
    store.close();
  }

  /** The answer to one request, written and read again. */
  private record OneAnswer(
      Request request,
      RequestHeader header,
      Class<? extends AbstractResponse> type,
      CompletableFuture<? extends AbstractResponse> answered)
      implements Answer {

    @Override
    public void complete(ApiMessage body) {
      try {
        Frame frame = new Frame();
        AnswerEncoder.encode(request, body, frame);
        ByteBuffer read = ByteBuffer.wrap(frame.bytes());
        if (read.getInt() != read.remaining()) {
          throw new IllegalStateException("the frame's length is wrong");
        }
        give(answered, AbstractResponse.parseResponse(read, header));
      } catch (RuntimeException e) {
        answered.completeExceptionally(e);
      }
    }

    @SuppressWarnings("unchecked")
    private <T extends AbstractResponse> void give(
        CompletableFuture<T> to, AbstractResponse response) {
      to.complete((T) type.cast(response));
    }

    @Override
    public void fail(Throwable cause) {
      complete(request.body().getErrorResponse(0, cause));
    }

    @Override
    public void none() {
      throw new IllegalStateException("every group API is answered");
    }

    @Override
    public void closeConnection() {
      throw new IllegalStateException("no group API closes the connection");
    }

    @Override
    public void whenAbandoned(Runnable action) {}
  }

  /** Gathers an answer's parts. */
  private static final class Frame implements AnswerSink {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteBuffer own;
    private int taken;

    @Override
    public ByteBuffer reserve(int sizeBytes) {
      own = ByteBuffer.allocate(sizeBytes);
      return own;
    }

    @Override
    public void append(ByteBuffer part) {
      takeOwn();
      out.writeBytes(GroupServer.bytes(part));
    }

    @Override
    public int append(SliceRecords slice) {
      throw new IllegalStateException("no group API sends record batches");
    }

    private void takeOwn() {
      out.write(own.array(), taken, own.position() - taken);
      taken = own.position();
    }

    byte[] bytes() {
      takeOwn();
      return out.toByteArray();
    }
  }

  private static final class NoFacts implements BrokerFacts {
    @Override
    public String clusterId() {
      return "none";
    }

    @Override
    public int nodeId() {
      return 1;
    }

    @Override
    public Map<String, FeatureRange> supportedFeatures() {
      return Map.of();
    }

    @Override
    public FinalizedFeatures finalizedFeatures() {
      return new FinalizedFeatures(Map.of(), 0);
    }
  }

  /** The APIs under test. */
  static List<ApiKeys> groupApis() {
    return List.of(
        ApiKeys.FIND_COORDINATOR,
        ApiKeys.JOIN_GROUP,
        ApiKeys.SYNC_GROUP,
        ApiKeys.HEARTBEAT,
        ApiKeys.LEAVE_GROUP,
        ApiKeys.OFFSET_COMMIT,
        ApiKeys.OFFSET_FETCH,
        ApiKeys.OFFSET_DELETE,
        ApiKeys.DESCRIBE_GROUPS,
        ApiKeys.LIST_GROUPS,
        ApiKeys.DELETE_GROUPS,
        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
        ApiKeys.CONSUMER_GROUP_DESCRIBE,
        ApiKeys.STREAMS_GROUP_HEARTBEAT,
        ApiKeys.STREAMS_GROUP_DESCRIBE,
        ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE);
  }
}
