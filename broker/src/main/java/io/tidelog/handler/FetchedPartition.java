package io.tidelog.handler;

import io.tidelog.log.LogListener;
import io.tidelog.log.LogView;
import io.tidelog.log.PartitionLog;
import io.tidelog.topic.Topics;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/**
 * A partition that a client reads: what is asked of it, where it is, and what the client knows of
 * it. When it has nothing to give it can be watched, and need not be looked at until its log moves:
 * the move ends the watch, so that what a client has left behind costs one call and no more.
 *
 * <p>For one thread at a time, which {@link FetchedPartitions} sees to; only a watch hears of moves
 * from any.
 */
final class FetchedPartition {
  private static final long UNTOLD = -1;

  /**
   * Which partition.
   *
   * @param topic its topic's name; "" where it is named by id
   * @param topicId its topic's id; zero where it is named by name
   * @param index its number
   */
  record Key(String topic, Uuid topicId, int index) {
    boolean isSameTopic(Key other) {
      return topicId.equals(other.topicId) && topic.equals(other.topic);
    }

    private FoundPartition in(Topics topics) {
      return topic.isEmpty() && !topicId.equals(Uuid.ZERO_UUID)
          ? FoundPartition.identified(topics, topicId, index)
          : FoundPartition.named(topics, topic, index);
    }
  }

  private final Key key;
  private final Runnable alarm;
  private FetchPartition asked;
  private FoundPartition found;

  /** Null if there is none; over once its log has moved. */
  private Watch watch;

  private String topicName;
  private long toldHighWatermark = UNTOLD;
  private long toldStart = UNTOLD;

  /**
   * @param alarm runs when the log has moved, on the thread that moved it
   */
  FetchedPartition(Key key, FetchPartition asked, Runnable alarm) {
    this.key = key;
    this.asked = asked;
    this.alarm = alarm;
  }

  Key key() {
    return key;
  }

  FetchPartition asked() {
    return asked;
  }

  /** The client asks for something else from now on. */
  void ask(FetchPartition next) {
    asked = next;
    lookAgain();
  }

  /** Where the partition is, as of {@link #locate}. */
  FoundPartition found() {
    return found;
  }

  /** For a new request: finds out where the partition is, unless that is known. */
  void locate(Topics topics) {
    if (isQuiet() || (found != null && found.isUsable() && !found.log().isClosed())) {
      return;
    }
    unwatch();
    found = key.in(topics);
    if (found.isUsable()) {
      topicName = found.topic().name();
    } else if (topicName != null && isReplaced(topics)) {
      found = found.refused(Errors.INCONSISTENT_TOPIC_ID);
    }
  }

  /** Whether another topic has the name that the topic of this id once had. */
  private boolean isReplaced(Topics topics) {
    return key.topic().isEmpty()
        && topics.find(topicName).filter(other -> !other.id().equals(key.topicId())).isPresent();
  }

  /** Whether the client knows these offsets. */
  boolean isKnown(LogView view) {
    return toldHighWatermark == view.highWatermark() && toldStart == view.start();
  }

  /** The client is told this. */
  void told(PartitionData data) {
    boolean failed = data.errorCode() != Errors.NONE.code();
    toldHighWatermark = failed ? UNTOLD : data.highWatermark();
    toldStart = data.logStartOffset();
  }

  /** Whether there was nothing to give and nothing has moved since. */
  boolean isQuiet() {
    return watch != null && watch.state.get() == Watch.State.QUIET;
  }

  /** To be called before the log is looked at: quiet from now on if it is watched. */
  void looking() {
    if (watch != null) {
      watch.state.compareAndSet(Watch.State.DUE, Watch.State.QUIET);
    }
  }

  /** There is something to give, or may be: not quiet. */
  void lookAgain() {
    if (watch != null) {
      watch.state.compareAndSet(Watch.State.QUIET, Watch.State.DUE);
    }
  }

  /** Watches the log, which is to be looked at once more after this. */
  void watch() {
    if ((watch == null || watch.isOver()) && found.isUsable()) {
      watch = new Watch(found.log(), alarm);
      watch.begin();
    }
  }

  /** Ends the watch. */
  void unwatch() {
    if (watch != null) {
      watch.end();
      watch = null;
    }
  }

  /** One watch of one log, whatever becomes of the partition's name meanwhile. */
  private static final class Watch implements LogListener {

    enum State {
      /** There is something to give already, or may be. */
      DUE,
      /** There was nothing to give, and the log has not moved since. */
      QUIET,
      /** The log has moved, or nobody cares any more. */
      OVER
    }

    private final PartitionLog log;
    private final Runnable alarm;
    private final AtomicReference<State> state = new AtomicReference<>(State.DUE);

    Watch(PartitionLog log, Runnable alarm) {
      this.log = log;
      this.alarm = alarm;
    }

    void begin() {
      log.addListener(this);
    }

    boolean isOver() {
      return state.get() == State.OVER;
    }

    void end() {
      if (state.getAndSet(State.OVER) != State.OVER) {
        log.removeListener(this);
      }
    }

    @Override
    public void moved(PartitionLog moved) {
      end();
      alarm.run();
    }
  }
}
