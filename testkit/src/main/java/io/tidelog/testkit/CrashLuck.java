package io.tidelog.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The seeded choices of one crash. A quarter of all crashes lose nothing, a quarter lose all that
 * was not synced; in the others each file has such a mood of its own, and where that is mixed, each
 * block.
 */
final class CrashLuck {

  /** What becomes of the unsynced changes of one thing. */
  enum Mood {
    KEEPS_ALL,
    DROPS_ALL,
    MIXED
  }

  private final RandomGenerator random;
  private final Mood mood;

  CrashLuck(long seed) {
    this.random = new SplittableRandom(seed);
    this.mood = draw();
  }

  private CrashLuck(Mood mood) {
    this.random = new SplittableRandom(0);
    this.mood = mood;
  }

  static CrashLuck losesNothing() {
    return new CrashLuck(Mood.KEEPS_ALL);
  }

  private Mood draw() {
    int drawn = random.nextInt(4);
    return drawn == 0 ? Mood.KEEPS_ALL : drawn == 1 ? Mood.DROPS_ALL : Mood.MIXED;
  }

  /** For the blocks and the length of one file. */
  Mood moodOfFile() {
    return mood == Mood.MIXED ? draw() : mood;
  }

  /** For one creation, renaming or deletion. */
  boolean keepsName() {
    return mood == Mood.MIXED ? random.nextBoolean() : mood == Mood.KEEPS_ALL;
  }

  boolean coin() {
    return random.nextBoolean();
  }

  /** From 0 to below the bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }
}
