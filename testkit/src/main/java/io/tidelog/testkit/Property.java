package io.tidelog.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A claim about every list of operations, tried on random ones. When one fails, operations are
 * dropped as long as it still fails, so that few are left to look at.
 *
 * <pre>{@code
 * Property.<Op>named("the log agrees with its model").operations(200, Op::random)
 *     .holds(operations -> ...);
 * }</pre>
 *
 * Any sublist of a list must be a fair one: an operation that makes no sense at its place should do
 * nothing.
 *
 * <p>The lists are the same in every run. {@code -Dtidelog.seed=N} tries the one list that a
 * failure named; {@code -Dtidelog.seconds=N} tries other ones for so long.
 *
 * @param <T> an operation; its {@code toString} is what a failure shows
 */
public final class Property<T> {

  /** Does the operations on something new and throws if the claim does not hold. */
  public interface Claim<T> {
    void check(List<T> operations) throws Exception;
  }

  private static final int SHOWN_OPERATIONS = 40;

  private final String name;
  private final String test;
  private int runs = 100;
  private int length = 100;
  private Function<RandomGenerator, T> operation;

  private Property(String name, String test) {
    this.name = name;
    this.test = test;
  }

  /**
   * Begins a property.
   *
   * @param name the claim, as a sentence
   */
  public static <T> Property<T> named(String name) {
    Class<?> test =
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    return new Property<>(name, test.getSimpleName());
  }

  /** How many lists are tried; 100 unless told. */
  public Property<T> runs(int number) {
    runs = number;
    return this;
  }

  /** Lists of 1 to {@code atMost} operations. */
  public Property<T> operations(int atMost, Function<RandomGenerator, T> random) {
    length = atMost;
    operation = random;
    return this;
  }

  /**
   * Tries it.
   *
   * @throws AssertionError with the seed, the operations that are left and the failure as its cause
   */
  public void holds(Claim<T> claim) {
    Long only = Long.getLong("tidelog.seed");
    if (only != null) {
      tryOne(only, claim);
      return;
    }
    Long seconds = Long.getLong("tidelog.seconds");
    if (seconds != null) {
      tryFor(seconds, claim);
      return;
    }
    for (int run = 0; run < runs; run++) {
      tryOne(name.hashCode() + (long) run, claim);
    }
  }

  private void tryFor(long seconds, Claim<T> claim) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long first = new SplittableRandom().nextLong(1, 1L << 40);
    long run = 0;
    while (System.nanoTime() < end) {
      tryOne(first + run++, claim);
    }
    System.out.printf("\"%s\" held for %,d lists, seeds %d and up%n", name, run, first);
  }

  private void tryOne(long seed, Claim<T> claim) {
    RandomGenerator random = new SplittableRandom(seed);
    List<T> operations = new ArrayList<>();
    for (int left = 1 + random.nextInt(length); left > 0; left--) {
      operations.add(operation.apply(random));
    }
    Throwable failure = failureOf(operations, claim);
    if (failure != null) {
      report(seed, operations.size(), shrink(operations, claim), claim);
    }
  }

  private static <T> Throwable failureOf(List<T> operations, Claim<T> claim) {
    try {
      claim.check(operations);
      return null;
    } catch (Exception | AssertionError e) {
      return e;
    }
  }

  /** Drops stretches, long ones first, as long as what is left fails. */
  private static <T> List<T> shrink(List<T> failing, Claim<T> claim) {
    List<T> left = failing;
    for (int stretch = left.size() / 2;
        stretch >= 1;
        stretch = Math.min(stretch / 2, left.size())) {
      int at = 0;
      while (at < left.size()) {
        List<T> fewer = new ArrayList<>(left.subList(0, at));
        fewer.addAll(left.subList(Math.min(left.size(), at + stretch), left.size()));
        if (failureOf(fewer, claim) != null) {
          left = fewer;
        } else {
          at += stretch;
        }
      }
    }
    return left;
  }

  private void report(long seed, int before, List<T> operations, Claim<T> claim) {
    Throwable failure = failureOf(operations, claim);
    String line =
        "\"%s\" does not hold: repeat with ./dev test %s -Dtidelog.seed=%d; %d of %d operations are enough: %s"
            .formatted(name, test, seed, operations.size(), before, shown(operations));
    throw new AssertionError(line, failure);
  }

  private static String shown(List<?> operations) {
    return operations.size() <= SHOWN_OPERATIONS
        ? operations.toString()
        : operations.subList(0, SHOWN_OPERATIONS) + " …";
  }
}
