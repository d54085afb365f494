package io.tidelog.segment;

import java.util.List;
import java.util.Optional;

/**
 * What reading a segment again found.
 *
 * @param goodBytes where its last sound batch ends, 0 if there is none
 * @param nextOffset the offset after that batch; the base offset if there is none
 * @param gap how many offsets lie between that batch and the sound one right before it
 * @param damage the stretches that sound batches follow
 * @param tail what stands after it; empty if nothing does
 */
public record Rescanned(
    int goodBytes,
    long nextOffset,
    long gap,
    List<DamagedStretch> damage,
    Optional<DamagedStretch> tail) {}
