package io.tidelog.topic;

import io.tidelog.record.ControlType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.message.KRaftVersionRecord;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.SnapshotFooterRecord;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.ControlRecordUtils;

/**
 * Who elects the leader of the metadata log. Kafka says so in control records of the log and of its
 * snapshots; they are no metadata records, so a snapshot has to repeat them.
 *
 * @param kraftVersion 1 if the voters stand in the log, 0 if they stand in the settings of each
 *     node
 * @param voters the last record of voters, with their addresses; only with version 1
 * @param electors the nodes that the last change of leader or of voters names
 */
record Quorum(short kraftVersion, Optional<VotersRecord> voters, Set<Integer> electors) {
  static final Quorum UNKNOWN = new Quorum((short) 0, Optional.empty(), Set.of());

  private static final short VERSION = 0;

  /** A record of a control batch. */
  record Control(ControlType type, ByteBuffer value) {
    private static Control of(ControlType type, ApiMessage message) {
      return new Control(type, MessageUtil.toByteBufferAccessor(message, VERSION).buffer());
    }
  }

  /** What is known after one more control record. */
  Quorum after(Control record) {
    return switch (record.type()) {
      case LEADER_CHANGE -> {
        LeaderChangeMessage change =
            ControlRecordUtils.deserializeLeaderChangeMessage(record.value());
        yield new Quorum(
            kraftVersion,
            voters,
            ids(change.voters().stream().map(LeaderChangeMessage.Voter::voterId).toList()));
      }
      case KRAFT_VERSION ->
          new Quorum(
              ControlRecordUtils.deserializeKRaftVersionRecord(record.value()).kRaftVersion(),
              voters,
              electors);
      case KRAFT_VOTERS -> {
        VotersRecord all = ControlRecordUtils.deserializeVotersRecord(record.value());
        yield new Quorum(
            kraftVersion,
            Optional.of(all),
            ids(all.voters().stream().map(VotersRecord.Voter::voterId).toList()));
      }
      default -> this;
    };
  }

  private static Set<Integer> ids(List<Integer> voters) {
    return Set.copyOf(new TreeSet<>(voters));
  }

  /**
   * The control records that a snapshot begins with.
   *
   * @param timestampMs of the last record that the snapshot stands for
   */
  List<Control> snapshotHeader(long timestampMs) {
    List<Control> records = new ArrayList<>();
    records.add(
        Control.of(
            ControlType.SNAPSHOT_HEADER,
            new SnapshotHeaderRecord()
                .setVersion(VERSION)
                .setLastContainedLogTimestamp(timestampMs)));
    if (kraftVersion > 0) {
      records.add(
          Control.of(
              ControlType.KRAFT_VERSION,
              new KRaftVersionRecord().setVersion(VERSION).setKRaftVersion(kraftVersion)));
      voters.ifPresent(all -> records.add(Control.of(ControlType.KRAFT_VOTERS, all)));
    }
    return records;
  }

  /** The control record that a snapshot ends with. */
  static Control snapshotFooter() {
    return Control.of(ControlType.SNAPSHOT_FOOTER, new SnapshotFooterRecord().setVersion(VERSION));
  }
}
