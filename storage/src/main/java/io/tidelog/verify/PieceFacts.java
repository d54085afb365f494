package io.tidelog.verify;

import io.tidelog.verify.SegmentFacts.Traits;
import java.util.List;

/**
 * What was found in a piece of a log.
 *
 * @param end where the next piece begins
 * @param isStopped whether no sound batch stands there, or the log ends
 * @param batches the sound batches up to there
 * @param traits what they are like
 * @param nullKeys records without a key
 * @param findings what is to be said of each by itself
 */
record PieceFacts(
    int end,
    boolean isStopped,
    List<BatchFacts> batches,
    Traits traits,
    NullKeys nullKeys,
    FindingList findings) {}
