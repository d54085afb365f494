package io.tidelog.verify;

import java.util.List;

/**
 * What a check found, and how much it looked at.
 *
 * @param findings by file and position
 * @param partitions how many folders of partitions
 * @param segments how many logs
 * @param batches how many sound batches
 * @param logBytes bytes of the logs
 */
public record VerifyReport(
    List<Finding> findings, int partitions, int segments, long batches, long logBytes) {
  public VerifyReport {
    findings = List.copyOf(findings);
  }

  /** Whether nothing is worse than a note. */
  public boolean isSound() {
    return findings.stream().allMatch(finding -> finding.severity() == Severity.NOTE);
  }

  /** The findings that are at least this bad. */
  public List<Finding> atLeast(Severity least) {
    return findings.stream().filter(finding -> finding.severity().compareTo(least) >= 0).toList();
  }
}
