package io.tidelog.log;

import io.tidelog.segment.Segment;
import java.util.List;

/**
 * What recovery found of a log, sound.
 *
 * @param segments by rising base offset, at least one
 * @param start log start offset
 * @param end log end offset
 * @param recoveryPoint offset below which all is durable
 * @param epochs leader epochs up to the end
 * @param producers producer state at the end
 */
public record LogContents(
    List<Segment> segments,
    long start,
    long end,
    long recoveryPoint,
    LeaderEpochs epochs,
    LogProducers producers) {}
