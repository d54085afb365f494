package io.tidelog.cli.client;

import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.TextRows;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Writes a record that was read, each on a line. */
interface RecordFormat {

  void write(ConsumerRecord<byte[], byte[]> record);

  /** The value's bytes. */
  static RecordFormat value(PrintStream out, LineFormat line) {
    return record -> {
      out.writeBytes(line.show(record.value()));
      out.write('\n');
    };
  }

  /** The key's bytes, the separator, and the value's bytes. */
  static RecordFormat keyValue(PrintStream out, LineFormat line, byte[] separator) {
    return record -> {
      out.writeBytes(line.show(record.key()));
      out.writeBytes(separator);
      out.writeBytes(line.show(record.value()));
      out.write('\n');
    };
  }

  /** All there is about a record, for people. */
  static RecordFormat text(PrintStream out) {
    Rows rows = new TextRows(out);
    return record -> rows.row(row(record));
  }

  /** All there is about a record, for programs. */
  static RecordFormat json(PrintStream out) {
    Rows rows = new JsonRows(out);
    return record -> rows.row(row(record));
  }

  private static Row row(ConsumerRecord<byte[], byte[]> record) {
    Row row =
        Row.of("record")
            .with("topic", record.topic())
            .with("partition", record.partition())
            .with("offset", record.offset())
            .with("timestamp", Instant.ofEpochMilli(record.timestamp()))
            .with("key", wrap(record.key()))
            .with("value", wrap(record.value()));
    List<Row> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(Row.of("header").with("key", header.key()).with("value", wrap(header.value())));
    }
    return headers.isEmpty() ? row : row.with("headers", headers);
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }
}
