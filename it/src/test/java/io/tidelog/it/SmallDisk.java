package io.tidelog.it;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real file system so small that a test can fill it: a tmpfs of its own where this user may mount
 * one, else the machine's {@code /dev/shm} if that is as small as containers have it.
 */
final class SmallDisk {
  private static final Path SHARED = Path.of("/dev/shm");
  private static final long MOST_SHARED_BYTES = 128L << 20;
  private static final int LIMIT_SECONDS = 20;
  private static final int PAGE_BYTES = 4096;
  private static final int FIRST_PAGES = 2048;

  private final Path root;
  private final boolean isMounted;
  private final Path ballast;

  private SmallDisk(Path root, boolean isMounted) {
    this.root = root;
    this.isMounted = isMounted;
    this.ballast = root.resolve("ballast");
  }

  /**
   * Makes one.
   *
   * @param mountPoint an empty directory
   * @param why told why there can be none, piece by piece
   * @return empty if there can be none
   */
  static Optional<SmallDisk> create(Path mountPoint, int megabytes, List<String> why)
      throws IOException, InterruptedException {
    String size = "size=" + megabytes + "m";
    Optional<String> refusal =
        refusal("mount", "-t", "tmpfs", "-o", size, "tmpfs", mountPoint.toString());
    if (refusal.isEmpty()) {
      return Optional.of(withBallast(mountPoint, true));
    }
    why.add("no tmpfs can be mounted (" + refusal.get() + ")");
    if (!Files.isWritable(SHARED)
        || Files.getFileStore(SHARED).getTotalSpace() > MOST_SHARED_BYTES) {
      why.add(SHARED + " is not a writable file system of at most " + MOST_SHARED_BYTES + " bytes");
      return Optional.empty();
    }
    return Optional.of(withBallast(Files.createTempDirectory(SHARED, "tidelog"), false));
  }

  /** The first 8 MiB are taken, so that there is something to give back. */
  private static SmallDisk withBallast(Path root, boolean isMounted) throws IOException {
    SmallDisk disk = new SmallDisk(root, isMounted);
    Files.write(disk.ballast, new byte[FIRST_PAGES * PAGE_BYTES]);
    return disk;
  }

  private static Optional<String> refusal(String... command)
      throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException missing) {
      return Optional.of(missing.getMessage());
    }
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return Optional.of(command[0] + " did not end");
    }
    return process.exitValue() == 0
        ? Optional.empty()
        : Optional.of(
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim());
  }

  Path root() {
    return root;
  }

  long freeBytes() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  /** Takes what is free, to the last byte. */
  void fill() throws IOException {
    byte[] page = new byte[PAGE_BYTES];
    for (int piece : new int[] {PAGE_BYTES, 1}) {
      try (OutputStream file = Files.newOutputStream(ballast, StandardOpenOption.APPEND)) {
        while (true) {
          file.write(page, 0, piece);
        }
      } catch (IOException full) {
        if (!String.valueOf(full.getMessage()).contains("No space left")) {
          throw full;
        }
      }
    }
  }

  /** Gives it back. */
  void free() throws IOException {
    Files.deleteIfExists(ballast);
  }

  /** Removes it with all that is on it. */
  void remove() throws IOException, InterruptedException {
    if (isMounted) {
      Optional<String> refusal = refusal("umount", "-l", root.toString());
      if (refusal.isPresent()) {
        throw new IOException(root + " cannot be unmounted: " + refusal.get());
      }
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      files.forEach(all::add);
    }
    for (int i = all.size() - 1; i >= 0; i--) {
      Files.delete(all.get(i));
    }
  }
}
