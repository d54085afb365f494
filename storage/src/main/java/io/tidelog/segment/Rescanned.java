package io.tidelog.segment;

import java.util.List;
import java.util.Optional;

/**
 * What reading a segment again found.
 *
 * @param goodBytes where its last sound batch ends, 0 if there is none
 * @param nextOffset the offset after that batch; the base offset if there is none
 * @param last how that batch fits to the sound one right before it
 * @param damage the stretches that sound batches follow
 * @param tail what stands after it; empty if nothing does
 */
public record Rescanned(
    int goodBytes,
    long nextOffset,
    Last last,
    List<DamagedStretch> damage,
    Optional<DamagedStretch> tail) {

  /**
   * The last sound batch.
   *
   * @param baseOffset its first offset
   * @param gap how many offsets it leaves out after the sound batch right before it
   */
  public record Last(long baseOffset, long gap) {
    static final Last NONE = new Last(-1, 0);
  }
}
