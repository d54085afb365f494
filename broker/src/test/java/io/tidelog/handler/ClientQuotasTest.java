package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.TestTopics;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaAlteration.Op;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.AlterClientQuotasResponse;
import org.apache.kafka.common.requests.DescribeClientQuotasRequest;
import org.apache.kafka.common.requests.DescribeClientQuotasResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client quotas are kept in the metadata log and told again. */
class ClientQuotasTest {
  private static final ClientQuotaEntity ALICE = entity("user", "alice");
  private static final ClientQuotaEntity ANYBODY = entity("user", null);
  private static final ClientQuotaEntity APP =
      new ClientQuotaEntity(Map.of("user", "alice", "client-id", "app"));
  private static final ClientQuotaEntity ADDRESS = entity("ip", "127.0.0.1");

  private final SimDisk disk = new SimDisk(3);
  private TopicServer server;

  @BeforeEach
  void start() throws Exception {
    server = TopicServer.start(disk, Map.of());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void every_version_sets_takes_away_and_describes() throws Exception {
    for (short version = 0; version <= ApiKeys.ALTER_CLIENT_QUOTAS.latestVersion(); version++) {
      alter(
          version, ALICE, new Op("producer_byte_rate", 1024.0), new Op("request_percentage", 7.5));
      alter(version, ANYBODY, new Op("consumer_byte_rate", 10.0));
      alter(version, APP, new Op("controller_mutation_rate", 3.0));
      alter(version, ADDRESS, new Op("connection_creation_rate", 5.0));
      Map<ClientQuotaEntity, Map<String, Double>> all = describe(version, ClientQuotaFilter.all());
      assertThat(all)
          .as("v%d", version)
          .containsOnlyKeys(ALICE, ANYBODY, APP, ADDRESS)
          .containsEntry(ALICE, Map.of("producer_byte_rate", 1024.0, "request_percentage", 7.5));
      alter(version, ALICE, new Op("producer_byte_rate", null), new Op("request_percentage", 8.0));
      assertThat(describe(version, ClientQuotaFilter.all()))
          .containsEntry(ALICE, Map.of("request_percentage", 8.0));
      alter(version, ALICE, new Op("request_percentage", null));
      assertThat(describe(version, ClientQuotaFilter.all())).doesNotContainKey(ALICE);
    }
  }

  @Test
  void filters_let_through_what_they_say() throws Exception {
    alter(1, ALICE, new Op("producer_byte_rate", 1.0));
    alter(1, ANYBODY, new Op("producer_byte_rate", 2.0));
    alter(1, APP, new Op("producer_byte_rate", 3.0));
    ClientQuotaFilterComponent alice = ClientQuotaFilterComponent.ofEntity("user", "alice");
    assertThat(described(ClientQuotaFilter.contains(List.of(alice)))).containsOnly(ALICE, APP);
    assertThat(described(ClientQuotaFilter.containsOnly(List.of(alice)))).containsOnly(ALICE);
    assertThat(
            described(
                ClientQuotaFilter.contains(
                    List.of(ClientQuotaFilterComponent.ofDefaultEntity("user")))))
        .containsOnly(ANYBODY);
    assertThat(
            described(
                ClientQuotaFilter.containsOnly(
                    List.of(ClientQuotaFilterComponent.ofEntityType("user")))))
        .containsOnly(ALICE, ANYBODY);
  }

  @Test
  void filters_that_make_no_sense_are_refused() throws Exception {
    assertThat(refusal(ClientQuotaFilterComponent.ofEntity("planet", "mars")))
        .isInstanceOf(UnsupportedVersionException.class);
    assertThat(
            refusal(
                ClientQuotaFilterComponent.ofEntity("user", "a"),
                ClientQuotaFilterComponent.ofDefaultEntity("user")))
        .isInstanceOf(InvalidRequestException.class);
    assertThat(
            refusal(
                ClientQuotaFilterComponent.ofEntity("user", "a"),
                ClientQuotaFilterComponent.ofDefaultEntity("ip")))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void what_is_wrong_is_refused_for_its_entity_alone() throws Exception {
    Map<ClientQuotaEntity, Op> wrong = new HashMap<>();
    wrong.put(ALICE, new Op("producer_byte_rate", 0.0));
    wrong.put(entity("user", "b"), new Op("producer_byte_rate", -1.0));
    wrong.put(entity("user", "c"), new Op("producer_byte_rate", Double.NaN));
    wrong.put(entity("user", "d"), new Op("producer_byte_rate", 1.5));
    wrong.put(entity("user", "e"), new Op("producer_byte_rate", 1e19));
    wrong.put(entity("user", "f"), new Op("no_such_quota", 1.0));
    wrong.put(entity("user", "g"), new Op("connection_creation_rate", 1.0));
    wrong.put(entity("user", ""), new Op("producer_byte_rate", 1.0));
    wrong.put(entity("planet", "mars"), new Op("producer_byte_rate", 1.0));
    wrong.put(new ClientQuotaEntity(Map.of()), new Op("producer_byte_rate", 1.0));
    wrong.put(
        new ClientQuotaEntity(Map.of("ip", "::1", "user", "a")),
        new Op("connection_creation_rate", 1.0));
    List<ClientQuotaAlteration> asked =
        new java.util.ArrayList<>(
            wrong.entrySet().stream()
                .map(e -> new ClientQuotaAlteration(e.getKey(), List.of(e.getValue())))
                .toList());
    asked.add(new ClientQuotaAlteration(APP, List.of(new Op("producer_byte_rate", 4.0))));
    Map<ClientQuotaEntity, KafkaFutureImpl<Void>> answers = send(1, asked, false);
    for (ClientQuotaEntity entity : wrong.keySet()) {
      assertThat(failureOf(answers.get(entity)))
          .as("%s", entity)
          .isInstanceOf(InvalidRequestException.class);
    }
    assertThat(failureOf(answers.get(APP))).isNull();
    assertThat(described(ClientQuotaFilter.all())).containsOnly(APP);
  }

  @Test
  void a_quota_or_an_entity_that_is_named_twice_is_refused() throws Exception {
    List<Op> twice = List.of(new Op("producer_byte_rate", 1.0), new Op("producer_byte_rate", 2.0));
    ClientQuotaAlteration app =
        new ClientQuotaAlteration(APP, List.of(new Op("producer_byte_rate", 4.0)));
    Map<ClientQuotaEntity, KafkaFutureImpl<Void>> answers =
        send(1, List.of(new ClientQuotaAlteration(ALICE, twice), app, app), false);
    assertThat(failureOf(answers.get(ALICE))).hasMessageStartingWith("Duplicate quota key");
    assertThat(failureOf(answers.get(APP))).hasMessageStartingWith("Ignoring duplicate entity");
    assertThat(described(ClientQuotaFilter.all())).isEmpty();
  }

  @Test
  void checking_only_changes_nothing() throws Exception {
    ClientQuotaAlteration change =
        new ClientQuotaAlteration(ALICE, List.of(new Op("producer_byte_rate", 1.0)));
    assertThat(failureOf(send(1, List.of(change), true).get(ALICE))).isNull();
    assertThat(described(ClientQuotaFilter.all())).isEmpty();
  }

  @Test
  void they_survive_a_restart() throws Exception {
    alter(1, APP, new Op("producer_byte_rate", 12.0));
    server.close();
    server = TopicServer.start(disk, Map.of());
    assertThat(describe((short) 1, ClientQuotaFilter.all()))
        .containsExactly(Map.entry(APP, Map.of("producer_byte_rate", 12.0)));
  }

  private static ClientQuotaEntity entity(String type, String name) {
    Map<String, String> entries = new HashMap<>();
    entries.put(type, name);
    return new ClientQuotaEntity(entries);
  }

  private void alter(int version, ClientQuotaEntity entity, Op... ops) throws Exception {
    ClientQuotaAlteration change = new ClientQuotaAlteration(entity, Arrays.asList(ops));
    assertThat(failureOf(send(version, List.of(change), false).get(entity))).isNull();
  }

  private Map<ClientQuotaEntity, KafkaFutureImpl<Void>> send(
      int version, Collection<ClientQuotaAlteration> changes, boolean checkOnly) throws Exception {
    AlterClientQuotasResponse answer =
        server.ask(
            new AlterClientQuotasRequest.Builder(changes, checkOnly).build((short) version),
            AlterClientQuotasResponse.class);
    Map<ClientQuotaEntity, KafkaFutureImpl<Void>> futures = new HashMap<>();
    changes.forEach(change -> futures.put(change.entity(), new KafkaFutureImpl<>()));
    answer.complete(futures);
    return futures;
  }

  private static Throwable failureOf(KafkaFutureImpl<Void> future) {
    CompletableFuture<Void> stage = future.toCompletionStage().toCompletableFuture();
    return stage
        .handle(
            (done, failure) ->
                failure instanceof CompletionException ? failure.getCause() : failure)
        .orTimeout(10, java.util.concurrent.TimeUnit.SECONDS)
        .join();
  }

  private Map<ClientQuotaEntity, Map<String, Double>> describe(
      short version, ClientQuotaFilter filter) throws Exception {
    KafkaFutureImpl<Map<ClientQuotaEntity, Map<String, Double>>> future = new KafkaFutureImpl<>();
    server
        .ask(
            new DescribeClientQuotasRequest.Builder(filter).build(version),
            DescribeClientQuotasResponse.class)
        .complete(future);
    return TestTopics.await(future.toCompletionStage().toCompletableFuture());
  }

  private Collection<ClientQuotaEntity> described(ClientQuotaFilter filter) throws Exception {
    return describe((short) 1, filter).keySet();
  }

  private Throwable refusal(ClientQuotaFilterComponent... components) throws Exception {
    try {
      describe((short) 1, ClientQuotaFilter.contains(List.of(components)));
      return null;
    } catch (RuntimeException refused) {
      return refused;
    }
  }
}
