package io.tidelog.bench;

import io.tidelog.testkit.Ports;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One start, measured from just before the process is made.
 *
 * @param firstAnswerMs until an ApiVersions request was answered
 * @param firstProduceMs until a record was acknowledged by a topic that did not exist
 * @param residentMiB memory of the process then; 0 where the system does not say
 */
record StartRound(long firstAnswerMs, long firstProduceMs, long residentMiB) {
  private static final long TRY_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(120);
  private static final int STOP_SECONDS = 60;
  private static final short API_VERSIONS = 18;

  /** Starts a server in an empty directory, measures, and stops it. */
  static StartRound run(Server server, Path directory)
      throws IOException, InterruptedException, ExecutionException {
    int port = Ports.free();
    server.prepare(directory, port);
    Path log = directory.resolve("server.log");
    ProcessBuilder command =
        server.command(directory, port).redirectErrorStream(true).redirectOutput(log.toFile());
    long began = System.nanoTime();
    Process process = command.start();
    try {
      awaitAnswer(port, process, log);
      long answered = System.nanoTime();
      produce(port);
      long produced = System.nanoTime();
      return new StartRound(
          millis(answered - began), millis(produced - began), residentMiB(process.pid()));
    } finally {
      process.destroy();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static void awaitAnswer(int port, Process process, Path log) throws IOException {
    long deadline = System.nanoTime() + GIVE_UP_NS;
    while (!isAnswered(port)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IOException(
            "the server did not start:\n" + Files.readString(log, StandardCharsets.UTF_8));
      }
      LockSupport.parkNanos(TRY_EVERY_NS);
    }
  }

  /** Whether ApiVersions, version 0, is answered without an error. */
  private static boolean isAnswered(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port));
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(10);
      out.writeShort(API_VERSIONS);
      out.writeShort(0);
      out.writeInt(1);
      out.writeShort(-1);
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readInt();
      in.readInt();
      return in.readShort() == 0;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static void produce(int port) throws InterruptedException, ExecutionException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            "127.0.0.1:" + port,
            "key.serializer",
            ByteArraySerializer.class,
            "value.serializer",
            ByteArraySerializer.class);
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      producer.send(new ProducerRecord<>("first", new byte[] {1})).get();
    }
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private static long residentMiB(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
        .findFirst()
        .orElse(0);
  }
}
