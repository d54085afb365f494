package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.OffsetWitness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Base offset, length and magic of a batch lie outside of its CRC. Where that matches everything
 * after it, up to where the next sound batch begins, the batch is whole, and what these fields must
 * be can be told: the records are not lost.
 *
 * @param position where the batch starts
 * @param before the first bytes of the header as they are
 * @param after as they must be
 */
record HeaderMend(int position, ByteBuffer before, ByteBuffer after) {
  private static final int OUTSIDE_CRC_BYTES = RecordBatch.CRC_AT;
  private static final int MOST_BYTES = 64 << 20;

  /** What would make a damaged stretch one sound batch, if anything does. */
  static Optional<HeaderMend> of(DiskFile log, DamagedStretch stretch, OffsetWitness witness)
      throws IOException {
    LogPart part = stretch.part();
    int sizeBytes = part.to() - part.from();
    if (sizeBytes < RecordBatch.HEADER_BYTES || sizeBytes > MOST_BYTES) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
    log.read(bytes, part.from());
    bytes.flip();
    RecordBatch batch = RecordBatch.at(bytes, 0);
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(RecordBatch.ATTRIBUTES_AT, sizeBytes - RecordBatch.ATTRIBUTES_AT));
    if (crc.getValue() != batch.crc() || batch.lastOffsetDelta() < 0) {
      return Optional.empty();
    }
    long named = witness.lastOffset(log, part.from(), batch);
    return (named == batch.lastOffset()
            ? baseOffset(part, batch)
            : Optional.of(named - batch.lastOffsetDelta()))
        .map(
            baseOffset -> {
              ByteBuffer header = start(bytes).duplicate();
              ByteBuffer mended = ByteBuffer.allocate(OUTSIDE_CRC_BYTES).put(header).flip();
              mended.putLong(RecordBatch.BASE_OFFSET_AT, baseOffset);
              mended.putInt(
                  RecordBatch.BATCH_LENGTH_AT, sizeBytes - RecordBatch.LOG_OVERHEAD_BYTES);
              mended.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
              return new HeaderMend(part.from(), start(bytes), mended);
            });
  }

  private static ByteBuffer start(ByteBuffer bytes) {
    return bytes.slice(0, OUTSIDE_CRC_BYTES);
  }

  /** Its own offset if that is possible, or the only one that is; offsets never change. */
  private static Optional<Long> baseOffset(LogPart part, RecordBatch batch) {
    long offsets = batch.lastOffsetDelta() + 1L;
    boolean isOwnPossible =
        batch.baseOffset() >= part.firstOffset()
            && (part.endOffset() == LogPart.OPEN
                ? batch.baseOffset() == part.firstOffset()
                : batch.baseOffset() <= part.endOffset() - offsets);
    if (isOwnPossible) {
      return Optional.of(batch.baseOffset());
    }
    boolean isOnlyOne =
        part.endOffset() == LogPart.OPEN || part.endOffset() - part.firstOffset() == offsets;
    return isOnlyOne ? Optional.of(part.firstOffset()) : Optional.empty();
  }

  /** Which fields change, from what to what. */
  String sentence() {
    StringBuilder text = new StringBuilder();
    RecordBatch.HEADER.fields().stream()
        .filter(field -> field.at() < OUTSIDE_CRC_BYTES)
        .filter(field -> field.valueIn(before, 0) != field.valueIn(after, 0))
        .forEach(
            field ->
                text.append(text.isEmpty() ? "" : ", ")
                    .append(
                        "%s %d becomes %d"
                            .formatted(
                                field.name(), field.valueIn(before, 0), field.valueIn(after, 0))));
    return text.toString();
  }
}
