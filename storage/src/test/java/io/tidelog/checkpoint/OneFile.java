package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of any bytes, on a disk in memory for us and on a real one for Kafka. */
public final class OneFile {
  public static final Path FOLDER = Path.of("/data");

  private OneFile() {}

  /** A disk with nothing but this file. */
  public static SimDisk of(String name, byte[] bytes) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(FOLDER);
    put(disk, FOLDER.resolve(name), bytes);
    return disk;
  }

  public static void put(Disk disk, Path path, byte[] bytes) throws IOException {
    try (DiskFile file = disk.create(path)) {
      file.write(ByteBuffer.wrap(bytes), 0);
    }
  }

  /** An empty folder on the real disk, which goes when the process ends. */
  public static Path realFolder() {
    try {
      Path folder = Files.createTempDirectory("tidelog-fuzz");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes, or replaces, a file on the real disk; it goes when the process ends. */
  public static Path put(Path folder, String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      file.toFile().deleteOnExit();
    }
    return Files.write(file, bytes);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
