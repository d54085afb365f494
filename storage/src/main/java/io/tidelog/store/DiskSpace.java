package io.tidelog.store;

import io.tidelog.disk.DiskFullException;
import io.tidelog.log.NoRoomException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The room that a store's file systems have, and what could not be written for lack of it. Clients
 * append only where there is room and nothing is owed; both change by themselves.
 */
public final class DiskSpace {
  private static final long LOOKS_EVERY_MS = 1_000;

  private final StoreEvents events;
  private final Map<Path, Room> rooms;
  private final List<Debt> debts = new CopyOnWriteArrayList<>();

  private DiskSpace(StoreEvents events, Map<Path, Room> rooms) {
    this.events = events;
    this.rooms = rooms;
  }

  /** Looks at the file systems now, and again in the background from then on. */
  static DiskSpace watch(Surroundings around, List<Path> directories, long reservedBytes) {
    DiskSpace space =
        new DiskSpace(
            around.events(),
            directories.stream()
                .collect(
                    Collectors.toUnmodifiableMap(
                        Function.identity(), path -> new Room(around, path, reservedBytes))));
    space.look();
    return space;
  }

  void lookFromNowOn(Scheduler scheduler) {
    scheduler.every(LOOKS_EVERY_MS, this::look);
  }

  /** Something that has to be on disk before clients may append. */
  @FunctionalInterface
  public interface Debt {
    /** Writes it, or fails as long as there is no room for it. */
    void pay() throws IOException;
  }

  /**
   * Writes something now, or, if the disk is full, as soon as there is room.
   *
   * @throws IOException if anything but a full disk keeps it from being written
   */
  public void payOrOwe(Debt debt) throws IOException {
    try {
      debt.pay();
    } catch (DiskFullException full) {
      debts.add(debt);
      events.happened(
          StoreEvents.Kind.FULL,
          "clients may read, but not append before what a start has to write is written: "
              + full.getMessage());
    }
  }

  /**
   * Takes room for a batch.
   *
   * @throws NoRoomException if there is none in that data directory
   */
  void take(Path directory, int batchBytes) throws NoRoomException {
    if (!debts.isEmpty()) {
      throw new NoRoomException(
          directory, "the disk was full at the start, and what has to come first is not written");
    }
    rooms.get(directory).take(batchBytes);
  }

  private void look() {
    rooms.values().forEach(Room::askIfDue);
    for (Debt debt : List.copyOf(debts)) {
      try {
        debt.pay();
        debts.remove(debt);
        events.happened(StoreEvents.Kind.FULL, "what the start had to write is written now");
      } catch (IOException triedAgainSoon) {
        return;
      }
    }
  }
}
