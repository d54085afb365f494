package io.tidelog.testkit;

import java.util.function.Predicate;

/** Counts the calls of one disk and decides which of them fail. Guarded by the disk. */
final class DiskFaults {

  /** What becomes of a call. */
  enum Verdict {
    WORKS,
    FAILS,
    CUTS_POWER
  }

  private long calls;
  private long changes;
  private long failingCall;
  private long cuttingChange;
  private Predicate<DiskCall> failing = DiskFaults::never;
  private PowerCut cut;

  private static boolean never(DiskCall call) {
    return false;
  }

  long calls() {
    return calls;
  }

  long changes() {
    return changes;
  }

  boolean isPowerCut() {
    return cut != null;
  }

  void failCall(long number) {
    failingCall = calls + number;
  }

  void failWhen(Predicate<DiskCall> condition) {
    failing = condition;
  }

  void heal() {
    failing = DiskFaults::never;
    failingCall = 0;
  }

  void cutAtChange(long number) {
    cuttingChange = changes + number;
  }

  void cutNow() {
    if (cut == null) {
      cut = new PowerCut("the power was cut after call " + calls);
    }
  }

  void requirePower() {
    if (cut != null) {
      throw cut;
    }
  }

  /** Counts a call. After {@link Verdict#CUTS_POWER} every call throws. */
  Verdict next(DiskCall call) {
    requirePower();
    calls++;
    if (call.isChange() && ++changes == cuttingChange) {
      cut = new PowerCut("the power was cut at change %d: %s".formatted(changes, call));
      return Verdict.CUTS_POWER;
    }
    return calls == failingCall || failing.test(call) ? Verdict.FAILS : Verdict.WORKS;
  }
}
