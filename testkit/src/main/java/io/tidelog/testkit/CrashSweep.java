package io.tidelog.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Does something on a {@link SimDisk} again and again, each time with the power cut at the next of
 * its disk calls, and checks what is left on several of the disks that the cut may leave.
 *
 * <pre>{@code
 * CrashSweep.<Long>of((disk, acknowledge) -> { ...; acknowledge.accept(offset); })
 *     .startingWith(disk -> disk.createDirectories(DATA))
 *     .afterEachCut((disk, acknowledged) -> { open, check, append, close });
 * }</pre>
 *
 * The action is run once to the end to count its calls; a cut after the last one is part of the
 * sweep. The restarted disk must be left without open files. A failure names the cut and the seed;
 * {@link #only} repeats it.
 *
 * @param <T> what the action can acknowledge: facts that must hold after the cut
 */
public final class CrashSweep<T> {

  /** What is done while the power may go. */
  public interface Action<T> {
    /**
     * Does it.
     *
     * @param acknowledge takes a fact at the moment at which it is promised
     */
    void run(SimDisk disk, Consumer<T> acknowledge) throws Exception;
  }

  /** What must hold after it. */
  public interface Check<T> {
    /**
     * Throws if it does not hold.
     *
     * @param disk what the restarted machine finds
     * @param acknowledged the facts that were promised before the cut, in order
     */
    void check(SimDisk disk, List<T> acknowledged) throws Exception;
  }

  /** What is there before the action, durably. */
  public interface Preparation {
    void run(SimDisk disk) throws Exception;
  }

  private static final long NO_CUT = Long.MAX_VALUE;

  private final Action<T> action;
  private Preparation preparation = disk -> {};
  private int seeds = 5;
  private int firstCuts = 1;
  private boolean isSideBySide;
  private long onlyCut;
  private long onlySeed;

  private CrashSweep(Action<T> action) {
    this.action = action;
  }

  public static <T> CrashSweep<T> of(Action<T> action) {
    return new CrashSweep<>(action);
  }

  /** Done before each run; what it leaves is durable, synced or not. */
  public CrashSweep<T> startingWith(Preparation prepared) {
    preparation = prepared;
    return this;
  }

  /** How many outcomes of each cut are checked; 5 unless told. */
  public CrashSweep<T> seeds(int number) {
    seeds = number;
    return this;
  }

  /** Of the first of two cuts, only every so many-th is done; each of them unless told. */
  public CrashSweep<T> everyFirstCut(int number) {
    firstCuts = number;
    return this;
  }

  /** Does the cuts on all processors; what is done and checked must share nothing between them. */
  public CrashSweep<T> sideBySide() {
    isSideBySide = true;
    return this;
  }

  /** Does only the cut and the seed that a failure named. */
  public CrashSweep<T> only(long cut, long seed) {
    onlyCut = cut;
    onlySeed = seed;
    return this;
  }

  /**
   * Runs the sweep.
   *
   * @return how many cuts there were
   */
  public long afterEachCut(Check<T> check) throws Exception {
    if (onlyCut > 0) {
      Run cut = run(onlyCut);
      checkOutcome(cut, onlySeed, check);
      return 1;
    }
    long cuts = run(NO_CUT).changes + 1;
    LongStream all = LongStream.rangeClosed(1, cuts);
    (isSideBySide ? all.parallel() : all).forEach(cut -> checkOutcomes(cut, check));
    return cuts;
  }

  private void checkOutcomes(long cut, Check<T> check) {
    Run run;
    try {
      run = run(cut);
    } catch (Exception e) {
      throw new AssertionError("on the way to change " + cut, e);
    }
    for (long seed = 0; seed < seeds; seed++) {
      checkOutcome(run, seed, check);
    }
  }

  /**
   * Runs the sweep, and after each cut cuts the power again at each change of what is done next, as
   * a start that recovers; then checks. The start must be left without open files.
   *
   * @return how many pairs of cuts there were
   */
  public long afterEachCutTwice(Preparation recovery, Check<T> check) throws Exception {
    long pairs = 0;
    long cuts = run(NO_CUT).changes + 1;
    for (long cut = 1; cut <= cuts; cut += firstCuts) {
      Run run = run(cut);
      for (long seed = 0; seed < seeds; seed++) {
        long second = 0;
        while (cutAgain(run, seed, ++second, recovery, check)) {
          pairs++;
        }
      }
    }
    return pairs;
  }

  /** Whether the second cut came before the end of the recovery. */
  private boolean cutAgain(Run run, long seed, long second, Preparation recovery, Check<T> check) {
    SimDisk found = run.disk.crash(seed);
    found.cutPowerAtChange(second);
    boolean isCut = false;
    try {
      try {
        recovery.run(found);
        found.close();
      } catch (Exception | Error e) {
        isCut = found.isPowerCut();
        if (!isCut) {
          throw e;
        }
      }
      SimDisk restarted = found.crash(seed + second);
      check.check(restarted, List.copyOf(run.acknowledged));
      restarted.close();
      return isCut;
    } catch (Exception | Error e) {
      throw new AssertionError(
          "after a power cut at change %d, outcome %d, and another at change %d of the recovery"
              .formatted(run.cut, seed, second),
          e);
    }
  }

  /**
   * Instead of cutting the power, lets each call in turn fail once, reads too, and then checks the
   * same disk. The action must leave no file open and may end with an {@link IOException}.
   *
   * @return how many calls there were
   */
  public long afterEachFailure(Check<T> check) throws Exception {
    long call = 0;
    while (true) {
      SimDisk disk = prepared(++call);
      long before = disk.calls();
      disk.failAtCall(call);
      List<T> acknowledged = Collections.synchronizedList(new ArrayList<>());
      try {
        action.run(disk, acknowledged::add);
      } catch (IOException e) {
        // the call that was told to fail
      }
      boolean past = disk.calls() - before < call;
      disk.heal();
      try {
        disk.close();
        check.check(disk, acknowledged);
        disk.close();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("after the failure of call " + call, e);
      }
      if (past) {
        return call - 1;
      }
    }
  }

  /** One run of the action, up to the cut. */
  private final class Run {
    private final long cut;
    private final SimDisk disk;
    private final List<T> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private long changes;

    private Run(long cut) throws Exception {
      this.cut = cut;
      this.disk = prepared(cut);
    }
  }

  private Run run(long cut) throws Exception {
    Run run = new Run(cut);
    long before = run.disk.changes();
    if (cut != NO_CUT) {
      run.disk.cutPowerAtChange(cut);
    }
    try {
      action.run(run.disk, run.acknowledged::add);
      run.disk.close();
    } catch (Exception | Error e) {
      if (!run.disk.isPowerCut()) {
        throw e;
      }
    }
    run.changes = run.disk.changes() - before;
    return run;
  }

  private SimDisk prepared(long seed) throws Exception {
    SimDisk disk = new SimDisk(seed);
    preparation.run(disk);
    disk.close();
    return disk.restart(seed);
  }

  private void checkOutcome(Run run, long seed, Check<T> check) {
    SimDisk restarted = run.disk.crash(seed);
    try {
      check.check(restarted, List.copyOf(run.acknowledged));
      restarted.close();
    } catch (Exception | Error e) {
      throw new AssertionError(
          "after a power cut at change %d, outcome %d (repeat with .only(%d, %d)); acknowledged: %s"
              .formatted(run.cut, seed, run.cut, seed, run.acknowledged),
          e);
    }
  }
}
