package io.tidelog.topic;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.writer.ImageWriter;
import org.apache.kafka.image.writer.ImageWriterOptions;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Writes a snapshot as Kafka does: batches as in the metadata log, numbered from 0, all with the
 * snapshot's epoch. The first is a control batch with the header and the quorum, the last one with
 * the footer; between them is the image, as records that add up to it. The file takes its name when
 * it is complete and on disk, so that a power cut leaves all of it or nothing.
 */
final class SnapshotWriter implements ImageWriter {
  private static final int RECORDS_PER_BATCH = 1024;

  private final DiskFile file;
  private final int epoch;
  private final InstantSource clock;
  private final MetadataCodec codec = new MetadataCodec();
  private final List<ApiMessageAndVersion> gathered = new ArrayList<>();
  private long offset;
  private long position;

  private SnapshotWriter(DiskFile file, int epoch, InstantSource clock) {
    this.file = file;
    this.epoch = epoch;
    this.clock = clock;
  }

  /** Writes a snapshot into the metadata log's folder. When this returns it is durable. */
  static void write(
      MetadataFolder folder,
      InstantSource clock,
      SnapshotName name,
      MetadataImage image,
      Quorum quorum)
      throws IOException {
    Disk disk = folder.disk();
    Path unfinished = folder.path().resolve(name.unfinishedName());
    if (disk.exists(unfinished)) {
      disk.delete(unfinished);
    }
    try (DiskFile file = disk.create(unfinished)) {
      new SnapshotWriter(file, name.epoch(), clock).write(image, quorum);
      file.sync();
    }
    disk.rename(unfinished, folder.path().resolve(name.fileName()));
    disk.syncDirectory(folder.path());
  }

  private void write(MetadataImage image, Quorum quorum) throws IOException {
    control(quorum.snapshotHeader(image.provenance().lastContainedLogTimeMs()));
    try {
      image.write(this, new ImageWriterOptions.Builder(image).build());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    writeGathered();
    control(List.of(Quorum.snapshotFooter()));
  }

  @Override
  public void write(ApiMessageAndVersion record) {
    gathered.add(record);
    if (gathered.size() == RECORDS_PER_BATCH) {
      try {
        writeGathered();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void writeGathered() throws IOException {
    if (!gathered.isEmpty()) {
      append(codec.encode(gathered, clock.millis()));
      gathered.clear();
    }
  }

  private void control(List<Quorum.Control> records) throws IOException {
    append(codec.encodeControl(records, clock.millis()));
  }

  private void append(RecordBatch batch) throws IOException {
    batch.stampBaseOffset(offset);
    batch.stampLeaderEpoch(epoch);
    offset = batch.nextOffset();
    file.write(batch.buffer().slice(batch.position(), batch.sizeBytes()), position);
    position += batch.sizeBytes();
  }

  @Override
  public void close(boolean complete) {
    // The file is closed by whoever opened it.
  }
}
