package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskLockedException;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.PartitionLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStoreTest {
  @TempDir Path directory;

  private Lab lab() throws IOException {
    return Lab.open(new NioDisk(), directory, Map.of());
  }

  @Test
  void records_come_back_in_order_before_and_after_a_clean_stop() throws IOException {
    List<String> written = new ArrayList<>();
    try (Lab lab = lab()) {
      for (int i = 0; i < 1000; i++) {
        written.add("value " + i);
        Lab.append(lab.orders(), 1000 + i, "value " + i);
      }
      assertThat(Lab.values(lab.orders())).isEqualTo(written);
    }
    try (Lab lab = lab()) {
      PartitionLog log = lab.orders();
      assertThat(log.topicId()).isEqualTo(Lab.ORDERS_ID);
      assertThat(log.view().end()).isEqualTo(1000);
      assertThat(Lab.values(log)).isEqualTo(written);
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void a_second_store_on_the_same_directory_is_refused_and_disturbs_nothing() throws IOException {
    try (Lab lab = lab()) {
      Lab.append(lab.orders(), 1, "a");
      assertThatThrownBy(this::lab)
          .isInstanceOf(DiskLockedException.class)
          .hasMessageContaining(directory.toString());
      assertThat(Lab.append(lab.orders(), 2, "b").baseOffset()).isEqualTo(1);
    }
  }

  @Test
  void a_deleted_partition_is_closed_at_once_and_its_folder_goes_after_the_delay()
      throws IOException {
    try (Lab lab = lab()) {
      PartitionLog log = lab.orders();
      Lab.append(log, 1, "a");
      lab.store.delete(Lab.ORDERS);
      assertThat(log.isClosed()).isTrue();
      assertThat(lab.store.find(Lab.ORDERS)).isEmpty();
      assertThat(lab.disk.list(directory))
          .anyMatch(name -> name.endsWith("-delete"))
          .doesNotContain("orders-0");
      lab.scheduler.advanceMs(60_000);
      assertThat(lab.disk.list(directory)).noneMatch(name -> name.startsWith("orders"));
      assertThat(lab.orders().view().end()).isZero();
    }
  }
}
