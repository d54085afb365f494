package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.store.Surroundings;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a broker from starting is said in one sentence, and nothing is left behind. */
class BrokerStartFailuresTest {
  @TempDir Path directory;

  @Test
  void a_port_in_use_is_named() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      BrokerSettings settings =
          BrokerSettings.embedded(directory)
              .with("listeners", "PLAINTEXT://127.0.0.1:" + taken.getLocalPort());
      assertFails(settings, "127.0.0.1:" + taken.getLocalPort(), "choose another port");
    }
    assertStarts();
  }

  @Test
  void a_port_in_use_is_found_before_the_disk_is_touched() throws IOException {
    SimDisk disk = new SimDisk(1);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      BrokerSettings settings =
          BrokerSettings.embedded(SimBroker.DIRECTORY)
              .with("listeners", "PLAINTEXT://127.0.0.1:" + taken.getLocalPort());
      assertThatThrownBy(() -> Broker.start(settings, around(disk)))
          .hasMessageContaining("choose another port");
    }
    assertThat(disk.changes()).isZero();
    disk.close();
  }

  @Test
  void a_directory_that_another_broker_has_is_named() throws IOException {
    try (TestBroker other = TestBroker.start(directory)) {
      assertThat(other.broker().port()).isPositive();
      assertFails(BrokerSettings.embedded(directory), directory.toString(), "stop it first");
    }
    assertStarts();
  }

  @Test
  void a_file_in_the_place_of_the_directory_is_named() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "text");
    assertFails(BrokerSettings.embedded(file), file.toString(), "log.dirs");
  }

  @Test
  void another_node_id_than_the_directory_has_is_named() throws IOException {
    assertStarts();
    assertFails(BrokerSettings.embedded(directory).with("node.id", "77"), "node.id", "77");
    assertStarts();
  }

  @Test
  void a_host_that_this_machine_is_not_is_named() {
    BrokerSettings settings =
        BrokerSettings.embedded(directory).with("listeners", "PLAINTEXT://192.0.2.1:0");
    assertFails(settings, "192.0.2.1", "this machine");
  }

  @Test
  void a_disk_that_fails_at_any_call_is_named() throws IOException {
    long calls = callsOfAStart();
    for (long call = 1; call <= calls; call++) {
      SimDisk disk = new SimDisk(1);
      disk.failAtCall(call);
      try {
        Broker.start(BrokerSettings.embedded(SimBroker.DIRECTORY), around(disk)).close();
      } catch (BrokerStartException expected) {
        assertThat(expected.getMessage()).as("call %d", call).contains("/data");
      } catch (IOException atClose) {
        assertThat(atClose).as("call %d", call).isNotNull();
      }
    }
  }

  @Test
  void a_file_that_cannot_be_read_is_named() throws IOException {
    SimDisk disk = new SimDisk(1);
    try (TestBroker broker = SimBroker.start(disk)) {
      broker.create("hidden");
    }
    disk.failWhen(
        call -> call.kind() == DiskCall.Kind.OPEN && call.path().toString().contains("hidden-0/"));
    assertThatThrownBy(
            () -> Broker.start(BrokerSettings.embedded(SimBroker.DIRECTORY), around(disk)))
        .isInstanceOf(BrokerStartException.class)
        .hasMessageContaining("/data/hidden-0/");
  }

  @Test
  void a_read_only_disk_is_named() {
    SimDisk disk = new SimDisk(1);
    disk.failWhen(call -> call.kind() == DiskCall.Kind.CREATE);
    assertThatThrownBy(
            () -> Broker.start(BrokerSettings.embedded(SimBroker.DIRECTORY), around(disk)))
        .isInstanceOf(BrokerStartException.class)
        .hasMessageContaining("/data");
    disk.heal();
    disk.close();
  }

  private static long callsOfAStart() throws IOException {
    SimDisk disk = new SimDisk(1);
    Broker broker = Broker.start(BrokerSettings.embedded(SimBroker.DIRECTORY), around(disk));
    long calls = disk.calls();
    broker.close();
    disk.close();
    return calls;
  }

  private static Surroundings around(SimDisk disk) {
    return SimBroker.around(disk, new SimClock(), SimBroker.background());
  }

  private static void assertFails(BrokerSettings settings, String thing, String whatToDo) {
    Set<Thread> before = TestBroker.threads();
    assertThatThrownBy(() -> Broker.start(settings))
        .isInstanceOf(BrokerStartException.class)
        .hasMessageContaining(thing)
        .hasMessageContaining(whatToDo)
        .hasMessageNotContaining("\n")
        .hasMessageNotContaining("Exception");
    TestBroker.requireNoThreadButThose(before);
  }

  private void assertStarts() throws IOException {
    TestBroker.start(directory).close();
  }
}
