package io.tidelog.bench.floor;

import io.tidelog.bench.server.ProcessFigures;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A bare loop that runs, and the connection to it. */
final class LoopProcess implements AutoCloseable {
  private final Process process;
  private final SocketChannel channel;

  /** Starts one; as the servers do, it runs on the Java of this process. */
  LoopProcess(String loop, Path file) throws IOException {
    this.process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    BareLoop.class.getName(),
                    loop,
                    file.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    this.channel = connect();
  }

  private SocketChannel connect() throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String port = output.readLine();
    if (port == null) {
      throw new IOException("the bare loop did not start");
    }
    return SocketChannel.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
  }

  SocketChannel channel() {
    return channel;
  }

  double cpuSeconds() throws IOException {
    return new ProcessFigures(process.pid()).cpuSeconds();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    process.destroyForcibly().onExit().join();
  }
}
