package io.tidelog.checkpoint;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a folder in a data directory says: {@code <topic>-<partition>} for a partition
 * in service, {@code <topic>-<partition>.<unique id>-<state>} for one that was put aside.
 *
 * @param partition of a folder that was put aside the topic may be cut short, see {@link
 *     #nameAside}
 * @param state why it lies there
 */
public record PartitionFolder(TopicPartition partition, State state) {

  /** Why a partition's folder lies in a data directory. */
  public enum State {
    /** It is in service. */
    LIVE(""),
    /** It was deleted; its files go soon. */
    DELETED("-delete"),
    /** A copy that is being filled to replace the one in another data directory. */
    FUTURE("-future"),
    /** Nobody knows its topic any more. */
    STRAY("-stray");

    private final String suffix;

    State(String suffix) {
      this.suffix = suffix;
    }
  }

  private static final Pattern NAME =
      Pattern.compile(
          "(?<topic>.+)-(?<partition>0|[1-9][0-9]{0,9})(?:\\.[^.\\s]+(?<state>-delete|-future|-stray))?");
  private static final int MAX_NAME_CHARS = 255;

  /** Reads a folder's name; empty if it is not that of a partition. */
  public static Optional<PartitionFolder> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String topic = matcher.group("topic");
    long partition = Long.parseLong(matcher.group("partition"));
    if (partition > Integer.MAX_VALUE || TopicPartition.problemWithTopic(topic).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new PartitionFolder(
            new TopicPartition(topic, (int) partition), state(matcher.group("state"))));
  }

  private static State state(String suffix) {
    for (State state : State.values()) {
      if (state.suffix.equals(suffix)) {
        return state;
      }
    }
    return State.LIVE;
  }

  /**
   * The name for a folder that is put aside. The topic's name is cut where the whole would pass the
   * 255 characters that file systems allow.
   *
   * @param uniqueId characters without dot or space that no other folder here has
   */
  public static String nameAside(TopicPartition partition, State state, String uniqueId) {
    String tail = "-" + partition.partition() + "." + uniqueId + state.suffix;
    String topic = partition.topic();
    return topic.substring(0, Math.min(topic.length(), MAX_NAME_CHARS - tail.length())) + tail;
  }

  /** The name with which the folder is put aside whose place a copy with this name takes. */
  public static String deletedForm(String futureName) {
    return futureName.substring(0, futureName.length() - State.FUTURE.suffix.length())
        + State.DELETED.suffix;
  }
}
