/**
 * Job: what was measured, as values, ratios, a table and a file.
 *
 * <p>Start reading at: {@link io.tidelog.bench.result.Comparison}.
 *
 * <p>Uses: nothing of the project.
 *
 * <p>Threads: one.
 */
package io.tidelog.bench.result;
