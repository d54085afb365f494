package io.tidelog.testkit;

/** What a name on a {@link SimDisk} can stand for. Guarded by the disk. */
sealed interface SimNode permits SimContents, SimDirectory {

  /** Length of the file, or of all files below the directory, in bytes. */
  long totalBytes();
}
