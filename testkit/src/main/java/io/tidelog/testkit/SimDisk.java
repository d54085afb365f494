package io.tidelog.testkit;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskFullException;
import io.tidelog.disk.DiskLock;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.testkit.DiskCall.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A disk in memory that can lose power, run full and fail. Paths are absolute from a root that is
 * there at the start.
 *
 * <h2>Fault model</h2>
 *
 * After a power cut ({@link #cutPowerAtChange}, {@link #cutPower}) every call throws {@link
 * PowerCut}; {@link #crash} then gives the disk that the restarted machine finds. It can be asked
 * many times, with one seed for each outcome.
 *
 * <ul>
 *   <li>What {@link DiskFile#sync} returned for is there: all bytes and the length of that file.
 *       Its name is not made durable by it.
 *   <li>Of an unsynced file each block of 4096 bytes has its new contents, its old, or is torn:
 *       each sector of 512 bytes is new or old. A sector itself is never mixed. The length is the
 *       old one, the new one or any between, whatever became of the blocks: bytes that were never
 *       written then read as zero.
 *   <li>What {@link Disk#syncDirectory} returned for is there: creations, renamings and deletions
 *       in that directory itself, not in those above or below it. A renaming from one directory to
 *       another is synced with either.
 *   <li>Each unsynced creation, renaming or deletion is kept or lost as a whole, in any
 *       combination, but never without an earlier one that touched the same file or the same name.
 *   <li>The call at which the power goes may or may not have had its effect, or part of it. A sync
 *       that did not return promises nothing.
 *   <li>Now and then a write brings some earlier blocks of its file to the disk, as a system may do
 *       at any time.
 * </ul>
 *
 * Without a power cut:
 *
 * <ul>
 *   <li>A call that was told to fail ({@link #failAtCall}, {@link #failWhen}) throws an {@link
 *       IOException} and has no effect, but for two: a write may have written its first part; after
 *       a failed sync of a file the blocks that it should have written stay doubtful for ever, even
 *       if a later sync returns, as on Linux.
 *   <li>A full disk ({@link #limitSpace}) takes the part of a write that fits and throws {@link
 *       DiskFullException}. Deleting a file frees its space when its last handle is closed.
 * </ul>
 *
 * Not modelled: bits that rot, blocks written to the wrong place, a sync that lies, two processes.
 *
 * <p>A map is live: it shows later writes to its range. One file has at most 1 GiB.
 *
 * <p>{@link #close} fails if a file or lock is still open, and says who opened it.
 */
public final class SimDisk implements Disk, AutoCloseable {
  private static final int WRITE_BACK_ONE_IN = 16;

  private final SimTree tree;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final DiskFaults faults = new DiskFaults();
  private final OpenHandles handles = new OpenHandles();
  private final Set<SimContents> locked = new HashSet<>();
  private long freeBytes;

  /** An empty disk whose clock stands still. */
  public SimDisk(long seed) {
    this(seed, new SimClock());
  }

  /** An empty disk with 1 TiB of space. */
  public SimDisk(long seed, InstantSource clock) {
    this(new SimTree(), clock, seed, 1L << 40);
  }

  private SimDisk(SimTree tree, InstantSource clock, long seed, long freeBytes) {
    this.tree = tree;
    this.clock = clock;
    this.random = new SplittableRandom(seed);
    this.freeBytes = freeBytes;
  }

  /** How many calls were made so far. */
  public synchronized long calls() {
    return faults.calls();
  }

  /**
   * How many of the calls could change what a power cut leaves. To cut at each of these is to cut
   * at every call: what is read between them changes nothing.
   */
  public synchronized long changes() {
    return faults.changes();
  }

  /** Makes the n-th call from now fail, 1 being the next. */
  public synchronized void failAtCall(long number) {
    faults.failCall(number);
  }

  /** Makes all calls fail for which this holds, until {@link #heal}. */
  public synchronized void failWhen(Predicate<DiskCall> condition) {
    faults.failWhen(condition);
  }

  /** No call fails any more. */
  public synchronized void heal() {
    faults.heal();
  }

  /** Cuts the power at the n-th change from now, 1 being the next. */
  public synchronized void cutPowerAtChange(long number) {
    faults.cutAtChange(number);
  }

  /** Cuts the power now. */
  public synchronized void cutPower() {
    faults.cutNow();
  }

  public synchronized boolean isPowerCut() {
    return faults.isPowerCut();
  }

  /** Cuts the power, if it is not, and gives one of the disks that may be found after it. */
  public synchronized SimDisk crash(long seed) {
    faults.cutNow();
    SimTree after = tree.afterCrash(new CrashLuck(seed));
    long spaceBytes = freeBytes + tree.totalBytes();
    return new SimDisk(after, clock, seed, Math.max(0, spaceBytes - after.totalBytes()));
  }

  /**
   * What an orderly restart of the machine finds: everything, durably. This disk is dead
   * afterwards.
   */
  public synchronized SimDisk restart(long seed) {
    faults.cutNow();
    return new SimDisk(tree.afterCrash(CrashLuck.losesNothing()), clock, seed, freeBytes);
  }

  /** From now on this many bytes may be written. */
  public synchronized void limitSpace(long usableBytes) {
    freeBytes = usableBytes;
  }

  /**
   * Checks that nothing was left open; after a power cut nothing is.
   *
   * @throws IllegalStateException naming each open file, with the stack that opened it
   */
  @Override
  public synchronized void close() {
    if (!isPowerCut()) {
      handles.requireNone();
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return call(Kind.LIST, directory, () -> tree.list(directory));
  }

  @Override
  public synchronized boolean exists(Path path) {
    faults.requirePower();
    return tree.find(path) != null;
  }

  @Override
  public synchronized boolean isDirectory(Path path) {
    faults.requirePower();
    return tree.find(path) instanceof SimDirectory;
  }

  @Override
  public long sizeBytes(Path file) throws IOException {
    return call(Kind.SIZE, file, () -> (long) tree.file(file).sizeBytes());
  }

  @Override
  public long modifiedMs(Path file) throws IOException {
    return call(Kind.MODIFIED, file, () -> tree.file(file).modifiedMs());
  }

  @Override
  public void setModifiedMs(Path file, long timeMs) throws IOException {
    change(Kind.SET_MODIFIED, file, () -> tree.file(file).setModifiedMs(timeMs));
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    change(Kind.CREATE_DIRECTORIES, directory, () -> tree.createDirectories(directory));
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    return call(
        Kind.CREATE,
        file,
        () -> new SimFile(this, file, tree.create(file, clock.millis()), SimFile.Mode.READ_WRITE));
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return call(
        Kind.OPEN, file, () -> new SimFile(this, file, tree.file(file), SimFile.Mode.READ_WRITE));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return call(
        Kind.OPEN, file, () -> new SimFile(this, file, tree.file(file), SimFile.Mode.READ_ONLY));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    change(Kind.RENAME, from, () -> unlinked(tree.rename(from, to)));
  }

  @Override
  public void delete(Path path) throws IOException {
    change(Kind.DELETE, path, () -> unlinked(tree.delete(path)));
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    change(Kind.SYNC_DIRECTORY, directory, () -> tree.sync(directory));
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return call(Kind.LOCK, file, () -> takeLock(file));
  }

  private DiskLock takeLock(Path file) throws IOException {
    SimContents contents = exists(file) ? tree.file(file) : tree.create(file, clock.millis());
    if (!locked.add(contents)) {
      throw new DiskLockedException(file);
    }
    SimLock lock = new SimLock(contents);
    handles.opened(lock, "lock on", file);
    return lock;
  }

  private final class SimLock implements DiskLock {
    private final SimContents contents;

    SimLock(SimContents contents) {
      this.contents = contents;
    }

    @Override
    public void close() {
      synchronized (SimDisk.this) {
        if (handles.closed(this)) {
          locked.remove(contents);
        }
      }
    }
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return call(Kind.USABLE, path, () -> freeBytes);
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return call(Kind.TOTAL, path, () -> freeBytes + tree.totalBytes());
  }

  /** What a call does if it works. */
  interface Effect<T> {
    T happen() throws IOException;
  }

  /** What a call does if it works, without a result. */
  interface Change {
    void happen() throws IOException;
  }

  <T> T call(Kind kind, Path path, Effect<T> effect) throws IOException {
    return call(new DiskCall(kind, path), effect, () -> {});
  }

  void change(Kind kind, Path path, Change change) throws IOException {
    changeOrElse(kind, path, change, () -> {});
  }

  /**
   * @param ifFailing what remains of the change when it was told to fail
   */
  void changeOrElse(Kind kind, Path path, Change change, Change ifFailing) throws IOException {
    call(
        new DiskCall(kind, path),
        () -> {
          change.happen();
          return null;
        },
        ifFailing);
  }

  private synchronized <T> T call(DiskCall call, Effect<T> effect, Change ifFailing)
      throws IOException {
    switch (faults.next(call)) {
      case FAILS -> {
        ifFailing.happen();
        throw new IOException("simulated failure of call %d: %s".formatted(faults.calls(), call));
      }
      case CUTS_POWER -> {
        if (call.isDoneWhenCut()) {
          happenUnseen(effect);
        }
        faults.requirePower();
      }
      case WORKS -> {}
    }
    return effect.happen();
  }

  private static void happenUnseen(Effect<?> effect) {
    try {
      effect.happen();
    } catch (IOException e) {
      // a call that could not have worked changes nothing, and its caller sees the power cut
    }
  }

  synchronized void opened(SimFile file, SimContents contents) {
    contents.opened();
    handles.opened(file, "file", file.path());
  }

  synchronized void closed(SimFile file, SimContents contents) {
    if (handles.closed(file)) {
      contents.closed();
      freeIfGone(contents);
    }
  }

  private void unlinked(SimNode node) {
    if (node instanceof SimContents contents) {
      contents.unlinked();
      freeIfGone(contents);
    }
  }

  private void freeIfGone(SimContents contents) {
    if (contents.isGone()) {
      freeBytes += contents.sizeBytes();
    }
  }

  /** Takes as much of the space as there is. */
  synchronized long takeSpace(long bytes) {
    long taken = Math.min(bytes, freeBytes);
    freeBytes -= taken;
    return taken;
  }

  synchronized void giveBackSpace(long bytes) {
    freeBytes += bytes;
  }

  long nowMs() {
    return clock.millis();
  }

  /** How much of a failing write still happens. */
  synchronized int partOf(int bytes) {
    return random.nextBoolean() ? 0 : random.nextInt(bytes + 1);
  }

  synchronized void writeBackNowAndThen(SimContents contents) {
    if (random.nextInt(WRITE_BACK_ONE_IN) == 0) {
      contents.writeBack(random);
    }
  }
}
