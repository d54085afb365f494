package io.tidelog.explain;

import io.tidelog.disk.DiskFile;
import io.tidelog.explain.ByteExplanation.Field;
import io.tidelog.explain.ByteExplanation.Meaning;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.Layout;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordFields;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SoundBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The bytes of a log: batches by their headers, or damage between them. */
final class LogBytes {
  private final DiskFile file;
  private final int position;
  private final int sizeBytes;

  private LogBytes(DiskFile file, int position) throws IOException {
    this.file = file;
    this.position = position;
    this.sizeBytes = (int) Math.min(file.sizeBytes(), Integer.MAX_VALUE);
  }

  static Meaning at(DiskFile file, int position) throws IOException {
    return new LogBytes(file, position).meaning(0);
  }

  /** Walks on from the start of a batch. */
  private Meaning meaning(int from) throws IOException {
    BatchWalk walk = BatchWalk.headers(file, from, sizeBytes);
    int last = from;
    try {
      while (walk.next()) {
        if (position < walk.end()) {
          return inBatch(walk);
        }
        last = walk.end();
      }
    } catch (CorruptLogException damage) {
      int goesOnAt = SoundBatches.next(file, new LogPart(last + 1, sizeBytes, 0, LogPart.OPEN));
      return position < goesOnAt ? inDamage(damage, last, goesOnAt) : meaning(goesOnAt);
    }
    throw new CorruptLogException(file.path(), last, "the file was cut while being read");
  }

  private Meaning inDamage(CorruptLogException damage, int from, int to) {
    int at = position - from;
    String where =
        at < RecordBatch.HEADER_BYTES
            ? "byte %d, where %s of a batch's header is expected"
                .formatted(at, RecordBatch.HEADER.at(at).name())
            : "byte " + at;
    return Meaning.of(
            "damage from byte %d to %d".formatted(from, to - 1),
            new Field("none", from, (long) to - from, where + " of the damage"),
            to == sizeBytes
                ? "no sound batch follows"
                : "the next sound batch begins at byte " + to)
        .damaged(damage.getMessage());
  }

  private Meaning inBatch(BatchWalk walk) throws IOException {
    RecordBatch batch = walk.batch();
    int start = walk.position();
    String thing = "batch at byte " + start;
    String summary = summary(batch);
    Field field =
        position - start < RecordBatch.HEADER_BYTES ? header(batch, start) : packed(batch, start);
    try {
      RecordBatch whole = walk.soundBatch();
      return Meaning.of(thing, inRecords(whole, start).orElse(field), summary + ", CRC matches");
    } catch (CorruptLogException wrongCrc) {
      return Meaning.of(thing, field, summary).damaged(wrongCrc.getMessage());
    } catch (InvalidBatchException malformed) {
      return Meaning.of(thing, field, summary).damaged(malformed.getMessage());
    }
  }

  private static String summary(RecordBatch batch) {
    StringBuilder text = new StringBuilder();
    text.append("offsets %d to %d".formatted(batch.baseOffset(), batch.lastOffset()));
    text.append(", %d records in %d bytes".formatted(batch.recordCount(), batch.sizeBytes()));
    text.append(", compression ").append(compression(batch));
    text.append(", leader epoch ").append(batch.leaderEpoch());
    if (batch.hasProducerId()) {
      text.append(
          ", producer %d epoch %d sequence %d"
              .formatted(batch.producerId(), batch.producerEpoch(), batch.baseSequence()));
    }
    text.append(batch.isTransactional() ? ", transactional" : "");
    text.append(batch.isControl() ? ", control" : "");
    return text.toString();
  }

  private static String compression(RecordBatch batch) {
    int code = batch.compressionCode();
    return Compression.isKnown(code)
        ? Compression.of(code).name().toLowerCase(Locale.ROOT)
        : "unknown code " + code;
  }

  private Field header(RecordBatch batch, int start) {
    Layout.Field field = RecordBatch.HEADER.at(position - start);
    long value = field.valueIn(batch.buffer(), batch.position());
    String text =
        switch (field.name()) {
          case "crc" -> "0x%08x".formatted(batch.crc());
          case "attributes" -> attributes(batch);
          case "baseTimestamp", "maxTimestamp" -> timestamp(value);
          default -> Long.toString(value);
        };
    return new Field("header, " + field.name(), start + (long) field.at(), field.size(), text);
  }

  private static String attributes(RecordBatch batch) {
    return "0x%04x: compression %s, timestamps %s%s%s%s"
        .formatted(
            batch.attributes(),
            compression(batch),
            batch.timestampType().name().toLowerCase(Locale.ROOT).replace('_', ' '),
            batch.isTransactional() ? ", transactional" : "",
            batch.isControl() ? ", control" : "",
            batch.hasDeleteHorizon() ? ", delete horizon" : "");
  }

  static String timestamp(long ms) {
    return ms < 0 ? Long.toString(ms) : ms + " (" + Spoken.time(ms) + ")";
  }

  /** Where the records cannot be looked into. */
  private Field packed(RecordBatch batch, int start) {
    int records = start + RecordBatch.HEADER_BYTES;
    long bytes = batch.sizeBytes() - (long) RecordBatch.HEADER_BYTES;
    return new Field(
        "records",
        records,
        bytes,
        "byte %d of %d%s"
            .formatted(
                position - records,
                bytes,
                batch.compressionCode() == 0 ? "" : ", packed with " + compression(batch)));
  }

  private Optional<Field> inRecords(RecordBatch batch, int start) {
    if (position - start < RecordBatch.HEADER_BYTES || batch.compressionCode() != 0) {
      return Optional.empty();
    }
    return RecordFields.at(batch, position - start)
        .map(
            field ->
                new Field(
                    "record %d, %s".formatted(field.record(), field.name()),
                    start + (long) field.at(),
                    field.sizeBytes(),
                    value(batch, field)));
  }

  private static String value(RecordBatch batch, RecordFields.Field field) {
    if (field.bytes() != null) {
      return text(field.bytes());
    }
    return switch (field.name()) {
      case "timestampDelta" ->
          "%d: %s".formatted(field.number(), timestamp(batch.baseTimestamp() + field.number()));
      case "offsetDelta" ->
          "%d: offset %d".formatted(field.number(), batch.baseOffset() + field.number());
      default -> field.number() == -1 ? "-1: null" : Long.toString(field.number());
    };
  }

  /** Bytes as text, with a dot for what is not a plain letter. */
  static String text(ByteBuffer bytes) {
    String decoded = StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    return "\"" + decoded.replaceAll("[\\p{Cntrl}\ufffd]", ".") + "\"";
  }
}
