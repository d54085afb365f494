package io.tidelog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that repeats its fault does not fill the log. */
class PeerFaultsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final List<String> lines = new ArrayList<>();
  private long nowNanos = 77;
  private final PeerFaults faults = new PeerFaults(lines::add, () -> nowNanos);

  @Test
  void one_line_in_ten_seconds_for_each_client_and_kind() {
    for (int i = 0; i < 1_000; i++) {
      tell("10.0.0.1", "CORRUPT", "bad " + i);
    }
    tell("10.0.0.1", "TOO_LARGE", "large");
    tell("10.0.0.2", "CORRUPT", "other");
    nowNanos += 10 * SECOND_NANOS;
    tell("10.0.0.1", "CORRUPT", "again");
    nowNanos += 10 * SECOND_NANOS;
    tell("10.0.0.1", "CORRUPT", "last");
    assertThat(lines)
        .containsExactly(
            "bad 0",
            "large",
            "other",
            "again (and 999 more of the same kind from there since the last)",
            "last");
  }

  @Test
  void only_so_many_clients_are_remembered() {
    for (int i = 0; i < 3_000; i++) {
      tell("10.1." + i / 250 + "." + i % 250, "CORRUPT", "c" + i);
    }
    tell("10.1.0.0", "CORRUPT", "forgotten");
    tell("10.1.11.249", "CORRUPT", "remembered");
    assertThat(lines).hasSize(3_001).endsWith("forgotten");
  }

  private void tell(String address, String kind, String what) {
    InetSocketAddress local = new InetSocketAddress("127.0.0.1", 9092);
    faults.tell(
        new Peer("1", local, new InetSocketAddress(address, 5_000), "PLAINTEXT"), kind, () -> what);
  }
}
