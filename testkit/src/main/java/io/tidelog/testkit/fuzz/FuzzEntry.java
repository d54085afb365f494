package io.tidelog.testkit.fuzz;

import java.lang.reflect.Constructor;

/** Where Jazzer comes in: it calls these methods by their names. */
public final class FuzzEntry {
  static final String TARGET_PROPERTY = "tidelog.fuzz.target";

  private static FuzzTarget target;

  private FuzzEntry() {}

  /** Called once, before the first input; tries one, which loads most of the classes. */
  public static void fuzzerInitialize() throws Exception {
    target = make(System.getProperty(TARGET_PROPERTY));
    target.check(target.seeds().get(0).clone());
  }

  /** Called with one input after another; whatever it throws is a finding. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    target.check(input);
  }

  /** A target by the name of its class, which need not be public. */
  static FuzzTarget make(String className) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(className).getDeclaredConstructor();
    constructor.setAccessible(true);
    return (FuzzTarget) constructor.newInstance();
  }
}
