package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.PartitionLog;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * In which data directory a partition lies, or is to be created: where somebody wished, or else
 * where the fewest are.
 */
final class Placing {
  private static final int MOST_WISHES = 10_000;

  private final List<DataDirectory> directories;
  private final Map<TopicPartition, DataDirectory> wishes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TopicPartition, DataDirectory> eldest) {
          return size() > MOST_WISHES;
        }
      };

  Placing(List<DataDirectory> directories) {
    this.directories = directories;
  }

  /** The directory that a log lies in. */
  DataDirectory of(PartitionLog log) {
    return at(log.directory().getParent());
  }

  /**
   * The directory with this path.
   *
   * @throws IllegalArgumentException if there is none
   */
  DataDirectory at(Path path) {
    for (DataDirectory directory : directories) {
      if (directory.path().equals(path)) {
        return directory;
      }
    }
    throw new IllegalArgumentException(path + " is not a data directory of this store");
  }

  /** Remembers where a partition is to be created; the oldest wish goes when there are too many. */
  void wish(TopicPartition partition, DataDirectory directory) {
    synchronized (wishes) {
      wishes.remove(partition);
      wishes.put(partition, directory);
    }
  }

  private DataDirectory takeWish(TopicPartition partition) {
    synchronized (wishes) {
      return wishes.remove(partition);
    }
  }

  /** Places some partitions one after another. */
  Round round(Function<DataDirectory, Collection<PartitionLog>> logsIn) {
    Map<DataDirectory, Integer> counts = new HashMap<>();
    directories.forEach(directory -> counts.put(directory, logsIn.apply(directory).size()));
    return new Round(counts);
  }

  /** Knows how many partitions each directory holds, with those that it has placed. */
  final class Round {
    private final Map<DataDirectory, Integer> counts;

    private Round(Map<DataDirectory, Integer> counts) {
      this.counts = counts;
    }

    /** The data directory for the next one. */
    Path next(TopicPartition partition) {
      DataDirectory wished = takeWish(partition);
      DataDirectory chosen =
          wished != null
              ? wished
              : Collections.min(directories, Comparator.comparingInt(counts::get));
      counts.merge(chosen, 1, Integer::sum);
      return chosen.path();
    }
  }
}
