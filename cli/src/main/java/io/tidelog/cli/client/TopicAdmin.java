package io.tidelog.cli.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;

/** Kafka's admin client, whose failures are told as sentences. */
public final class TopicAdmin implements AutoCloseable {
  private final Admin admin;
  private final BrokerOptions broker;

  private TopicAdmin(Admin admin, BrokerOptions broker) {
    this.admin = admin;
    this.broker = broker;
  }

  /** Connects to the broker. */
  public static TopicAdmin open(BrokerOptions broker) {
    return new TopicAdmin(Admin.create(broker.settings(Map.of())), broker);
  }

  /** The client itself. */
  public Admin admin() {
    return admin;
  }

  /**
   * Waits for an answer.
   *
   * @param what what is not done if it fails, as the first half of a sentence
   */
  public <T> T await(String what, KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw broker.failure(what, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw broker.failure(what, e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofMillis(broker.timeoutMs()));
  }
}
