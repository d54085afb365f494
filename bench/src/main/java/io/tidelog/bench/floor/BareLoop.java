package io.tidelog.bench.floor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The child process. {@code receive FILE}: what comes over one connection goes to the file, and
 * each whole MiB is acknowledged with one byte. {@code send FILE}: each byte that comes is answered
 * with the next MiB of the file, by sendfile. The port is printed first; it ends with the
 * connection.
 */
public final class BareLoop {
  /** Bytes of one request or answer. */
  static final int MIB = 1 << 20;

  private BareLoop() {}

  /** Runs one of the two. */
  public static void main(String[] args) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open();
        FileChannel file = open(args[0], Path.of(args[1]))) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      System.out.println(server.socket().getLocalPort());
      try (SocketChannel peer = server.accept()) {
        if (args[0].equals("receive")) {
          receive(peer, file);
        } else {
          send(peer, file);
        }
      }
    }
  }

  private static FileChannel open(String loop, Path file) throws IOException {
    return loop.equals("receive")
        ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
        : FileChannel.open(file, StandardOpenOption.READ);
  }

  private static void receive(SocketChannel peer, FileChannel file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(MIB);
    ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
    while (peer.read(bytes) >= 0) {
      if (!bytes.hasRemaining()) {
        bytes.flip();
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
        bytes.clear();
        peer.write(acknowledgement.clear());
      }
    }
  }

  private static void send(SocketChannel peer, FileChannel file) throws IOException {
    ByteBuffer request = ByteBuffer.allocateDirect(1);
    long at = 0;
    while (peer.read(request.clear()) >= 0) {
      long end = at + MIB;
      while (at < end) {
        at += file.transferTo(at, end - at, peer);
      }
      at = end < file.size() ? end : 0;
    }
  }
}
