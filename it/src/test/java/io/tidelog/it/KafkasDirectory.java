package io.tidelog.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a stopped broker, to be damaged by hand.
 *
 * @param data the data directory
 */
record KafkasDirectory(Path data) {

  /** A copy of it in another place. */
  KafkasDirectory copyTo(Path target) throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      for (Path path : all.toList()) {
        Path copy = target.resolve(data.relativize(path).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(path, copy);
      }
    }
    return new KafkasDirectory(target);
  }

  /** The one file of a topic's first partition that has this ending, the last one of several. */
  Path file(String topic, String suffix) throws IOException {
    try (Stream<Path> all = Files.list(data.resolve(topic + "-0"))) {
      return all.filter(path -> path.toString().endsWith(suffix))
          .sorted()
          .reduce((first, second) -> second)
          .orElseThrow(() -> new IOException(topic + " has no " + suffix));
    }
  }

  /** Where each batch of a topic's last log begins, and where the last one ends. */
  List<Integer> batches(String topic) throws IOException {
    ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(file(topic, ".log")));
    List<Integer> positions = new ArrayList<>();
    int at = 0;
    while (at < log.limit()) {
      positions.add(at);
      at += Long.BYTES + Integer.BYTES + log.getInt(at + Long.BYTES);
    }
    positions.add(at);
    return positions;
  }

  void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x10;
    Files.write(file, bytes);
  }

  void cut(Path file, long sizeBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(sizeBytes);
    }
  }

  void zero(Path file) throws IOException {
    Files.write(file, new byte[(int) Files.size(file)]);
  }

  void append(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.APPEND);
  }

  /** Gives a topic's first partition another offset in a checkpoint. */
  void set(String checkpoint, String topic, long offset) throws IOException {
    Path file = data.resolve(checkpoint);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.removeIf(line -> line.startsWith(topic + " 0 "));
    lines.add(topic + " 0 " + offset);
    lines.set(1, String.valueOf(lines.size() - 2));
    Files.write(file, lines);
  }
}
