package io.tidelog.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.disk.NioDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimDiskAgreesWithNioDiskPropertyTest {
  @TempDir Path temporary;
  private int round;

  /** One operation, named by its text. */
  private record Op(String text, Step step) {
    @Override
    public String toString() {
      return text;
    }
  }

  private interface Step {
    /** What a caller can see of it. */
    Object on(World world) throws IOException;
  }

  /** A disk and the files that are open on it, by slot. */
  private record World(Disk disk, Path root, TreeMap<Integer, DiskFile> open) {
    Path path(String name) {
      return root.resolve(name);
    }

    Object keep(int slot, DiskFile file) throws IOException {
      DiskFile previous = open.put(slot, file);
      if (previous != null) {
        previous.close();
      }
      return "opened";
    }

    Object with(int slot, FileStep step) throws IOException {
      DiskFile file = open.get(slot);
      return file == null ? "none" : step.on(file);
    }

    Object seen(Op op) {
      try {
        return op.step.on(this);
      } catch (NoSuchFileException
          | FileAlreadyExistsException
          | DirectoryNotEmptyException
          | NonWritableChannelException e) {
        return e.getClass().getSimpleName();
      } catch (IOException e) {
        return "IOException";
      }
    }
  }

  private interface FileStep {
    Object on(DiskFile file) throws IOException;
  }

  @Test
  void the_same_calls_have_the_same_results() {
    Property.<Op>named("SimDisk does what NioDisk does")
        .runs(150)
        .operations(120, SimDiskAgreesWithNioDiskPropertyTest::random)
        .holds(this::compare);
  }

  private void compare(List<Op> operations) throws IOException {
    Path real = Files.createDirectories(temporary.resolve("round" + round++));
    Path simulated = Path.of("/data");
    SimDisk sim = new SimDisk(1);
    sim.createDirectories(simulated);
    World nio = new World(new NioDisk(), real, new TreeMap<>());
    World model = new World(sim, simulated, new TreeMap<>());
    try {
      for (Op op : operations) {
        assertThat(model.seen(op)).as("%s", op).isEqualTo(nio.seen(op));
      }
    } finally {
      for (DiskFile file : nio.open.values()) {
        file.close();
      }
      for (DiskFile file : model.open.values()) {
        file.close();
      }
    }
    sim.close();
  }

  private static Op random(RandomGenerator random) {
    return random.nextInt(3) == 0 ? randomName(random) : randomFile(random);
  }

  private static Op randomName(RandomGenerator random) {
    String a = name(random);
    String b = name(random);
    return switch (random.nextInt(8)) {
      case 0 -> new Op("list " + a, world -> world.disk.list(world.path(a)));
      case 1 -> new Op("size " + a, world -> sizeOfFile(world, a));
      case 2 ->
          new Op(
              "createDirectories " + a,
              world -> {
                world.disk.createDirectories(world.path(a));
                return "made";
              });
      case 3, 4 ->
          new Op(
              "rename " + a + " " + b,
              world -> {
                world.disk.rename(world.path(a), world.path(b));
                return "renamed";
              });
      case 5 ->
          new Op(
              "delete " + a,
              world -> {
                world.disk.delete(world.path(a));
                return "deleted";
              });
      case 6 ->
          new Op(
              "sync " + a,
              world -> {
                if (world.disk.isDirectory(world.path(a))) {
                  world.disk.syncDirectory(world.path(a));
                }
                return world.disk.exists(world.path(a));
              });
      default -> {
        int slot = random.nextInt(3);
        yield new Op(
            slot + " = openReadOnly " + a,
            world ->
                world.disk.isDirectory(world.path(a))
                    ? "directory"
                    : world.keep(slot, world.disk.openReadOnly(world.path(a))));
      }
    };
  }

  /** Below a file Java 17 says that this is no directory, and Java 25 that nothing is there. */
  private static Object sizeOfFile(World world, String name) throws IOException {
    Path path = world.path(name);
    Path parent = path.getParent();
    if (world.disk.isDirectory(path)) {
      return "directory";
    }
    return world.disk.exists(parent) && !world.disk.isDirectory(parent)
        ? "below a file"
        : world.disk.sizeBytes(path);
  }

  private static Op randomFile(RandomGenerator random) {
    int slot = random.nextInt(3);
    String name = name(random);
    int position = random.nextInt(12_000);
    byte[] bytes = new byte[random.nextInt(6_000)];
    random.nextBytes(bytes);
    String at = slot + " at " + position + " bytes " + bytes.length;
    return switch (random.nextInt(8)) {
      case 0 ->
          new Op(
              slot + " = create " + name,
              world -> world.keep(slot, world.disk.create(world.path(name))));
      case 1 ->
          new Op(
              slot + " = open " + name,
              world ->
                  world.disk.isDirectory(world.path(name))
                      ? "directory"
                      : world.keep(slot, world.disk.open(world.path(name))));
      case 2, 3 ->
          new Op("write " + at, world -> world.with(slot, file -> write(file, bytes, position)));
      case 4 ->
          new Op("read " + at, world -> world.with(slot, file -> read(file, bytes, position)));
      case 5 ->
          new Op(
              "truncate " + at,
              world ->
                  world.with(
                      slot,
                      file -> {
                        file.truncate(position);
                        file.sync();
                        return file.sizeBytes();
                      }));
      case 6 ->
          new Op(
              "transfer " + at,
              world -> world.with(slot, file -> transfer(file, position, bytes.length)));
      default ->
          new Op(
              "map " + at,
              world -> world.with(slot, file -> hex(file.map(position, bytes.length))));
    };
  }

  private static Object write(DiskFile file, byte[] bytes, int position) throws IOException {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    file.write(source, position);
    return source.remaining() + " left, now " + file.sizeBytes();
  }

  private static Object read(DiskFile file, byte[] bytes, int position) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(bytes.length);
    return file.read(target, position) + " " + hex(target.flip());
  }

  private static Object transfer(DiskFile file, int position, int count) throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    long moved = file.transferTo(position, count, Channels.newChannel(sent));
    return moved + " " + hex(ByteBuffer.wrap(sent.toByteArray()));
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String name(RandomGenerator random) {
    String[] names = {"a", "b", "d", "d/a", "d/b", "e", "e/a", "d/f"};
    return names[random.nextInt(names.length)];
  }
}
