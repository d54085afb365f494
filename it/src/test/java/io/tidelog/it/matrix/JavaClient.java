package io.tidelog.it.matrix;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Makes producers, consumers and admins of whichever release is on the class path, and calls what
 * has another name in some of them.
 */
final class JavaClient {
  private static final long POLL_MS = 100;
  private static final long LIMIT_NANOS = Duration.ofSeconds(60).toNanos();

  private final String bootstrap;
  private final String prefix;

  JavaClient(String bootstrap, String prefix) {
    this.bootstrap = bootstrap;
    this.prefix = prefix;
  }

  String bootstrap() {
    return bootstrap;
  }

  /** The name of a topic or a group of this client's own. */
  String name(String suffix) {
    return prefix + "-" + suffix;
  }

  KafkaProducer<String, String> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(all(settings), new StringSerializer(), new StringSerializer());
  }

  KafkaConsumer<String, String> consumer(Map<String, Object> settings) {
    Map<String, Object> all = all(settings);
    all.put("auto.offset.reset", "earliest");
    all.put("enable.auto.commit", false);
    return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
  }

  AdminClient admin() {
    return AdminClient.create(all(Map.of()));
  }

  private Map<String, Object> all(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", bootstrap);
    return all;
  }

  String createTopic(String suffix, int partitions) throws Exception {
    String topic = name(suffix);
    try (AdminClient admin = admin()) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
    return topic;
  }

  @SuppressWarnings("unchecked")
  static <K, V> ConsumerRecords<K, V> poll(KafkaConsumer<K, V> consumer) {
    Method poll = method(KafkaConsumer.class, "poll", Duration.class);
    return (ConsumerRecords<K, V>)
        (poll == null
            ? call(method(KafkaConsumer.class, "poll", long.class), consumer, POLL_MS)
            : call(poll, consumer, Duration.ofMillis(POLL_MS)));
  }

  @SuppressWarnings("unchecked")
  static TopicDescription describe(AdminClient admin, String topic) throws Exception {
    Method all = method(DescribeTopicsResult.class, "allTopicNames");
    Object future =
        call(
            all == null ? method(DescribeTopicsResult.class, "all") : all,
            admin.describeTopics(List.of(topic)));
    return ((KafkaFuture<Map<String, TopicDescription>>) future).get().get(topic);
  }

  /** A public method, or null in releases that lack it. */
  static Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      return type.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  static Object call(Method method, Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void check(boolean isSo, String claim, Object found) {
    if (!isSo) {
      throw new AssertionError(claim + ", but found: " + found);
    }
  }

  static void checkEqual(Object found, Object expected) {
    check(found.equals(expected), "expected " + expected, found);
  }

  /** Waits until something is so. */
  static void await(String claim, BooleanSupplier isSo) {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (!isSo.getAsBoolean()) {
      check(System.nanoTime() < deadline, claim, "not so within the time limit");
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Polls into a collection until it holds so many. */
  static <T> void pollInto(Collection<T> all, int count, Supplier<? extends Collection<T>> poll) {
    await(
        count + " records",
        () -> {
          all.addAll(poll.get());
          return all.size() >= count;
        });
    checkEqual(all.size(), count);
  }
}
