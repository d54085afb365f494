package io.tidelog.repair;

import java.io.IOException;
import java.nio.file.Path;

/** What is to be repaired is the folder of one partition. */
public final class PartitionFolderException extends IOException {
  private static final long serialVersionUID = 1L;

  PartitionFolderException(Path folder) {
    super(
        "%s is the folder of one partition; name the data directory that it lies in, whose"
                .formatted(folder)
            + " checkpoints say where its log begins and ends");
  }
}
