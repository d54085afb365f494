package io.tidelog.repair;

import io.tidelog.producer.OffsetRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One thing that repair does. It can be done again after it was interrupted, or what is left to do
 * is found by the next plan.
 *
 * @param kind what it is
 * @param file what it changes
 * @param does what it does, as a sentence without subject and full stop
 * @param lost the offsets whose records nobody can read afterwards, nor could before
 * @param work the doing
 */
public record RepairStep(Kind kind, Path file, String does, List<OffsetRange> lost, Work work) {

  /** What a step is. In the order in which the steps of a partition are done. */
  public enum Kind {
    /** What an interrupted step left goes. */
    REMOVE_LEFTOVER,
    /** Compacted segments take the place of others, or go, as a start would do it. */
    SETTLE_SWAP,
    /** A log gets the name that its batches say. */
    RENAME_LOG,
    /** Fields of a batch's header that lie outside of its CRC become right again. */
    MEND_HEADER,
    /** A log ends with its last sound batch. */
    CUT_TAIL,
    /** A damaged stretch is taken out of a log; what follows becomes a segment of its own. */
    BRACKET,
    /** A log without any sound batch goes. */
    REMOVE_LOG,
    /** The log goes on at an offset that was given out already. */
    GO_ON_AT,
    /** Offsets that are missing between logs are noted as gone. */
    NOTE_LOSS,
    REBUILD_INDEXES,
    REBUILD_EPOCHS,
    REMOVE_SNAPSHOT,
    REBUILD_ABORTED,
    WRITE_SNAPSHOT,
    RESTORE_TOPIC_ID,
    REWRITE_CHECKPOINT
  }

  /** What is done to the disk. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does it.
     *
     * @param quarantine where copies go of what is cut or replaced
     */
    void run(Quarantine quarantine) throws IOException;
  }

  public RepairStep {
    lost = List.copyOf(lost);
  }

  static RepairStep of(Kind kind, Path file, String does, Work work) {
    return new RepairStep(kind, file, does, List.of(), work);
  }
}
