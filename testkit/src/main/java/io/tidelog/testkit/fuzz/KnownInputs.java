package io.tidelog.testkit.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The inputs of a fuzz target that are kept: its seeds, and those that a fuzzer found, in a
 * resource beside its class.
 *
 * <pre>
 *  line            meaning
 *  # …             what the next input did when it was found
 *  anything else   an input, in base64; an empty line is the empty input
 * </pre>
 */
public final class KnownInputs {
  static final String SUFFIX = ".inputs";
  private static final String COMMENT = "#";

  /**
   * One of them.
   *
   * @param source where it stands
   */
  record Known(String source, byte[] bytes) {}

  private KnownInputs() {}

  /**
   * Tries all of them, and the empty input.
   *
   * @throws AssertionError for the first one for which the claim does not hold
   */
  public static void replay(FuzzTarget target) throws Exception {
    List<Known> inputs = of(target);
    inputs.add(new Known("the empty input", new byte[0]));
    for (Known input : inputs) {
      try {
        target.check(input.bytes().clone());
      } catch (Exception | Error e) {
        throw new AssertionError(
            "%s fails with %s: %s"
                .formatted(
                    target.getClass().getSimpleName(), input.source(), encode(input.bytes())),
            e);
      }
    }
  }

  /** All of them. */
  static List<Known> of(FuzzTarget target) throws Exception {
    List<Known> inputs = new ArrayList<>();
    List<byte[]> seeds = target.seeds();
    for (int i = 0; i < seeds.size(); i++) {
      inputs.add(new Known("seed " + i, seeds.get(i)));
    }
    inputs.addAll(found(target.getClass()));
    return inputs;
  }

  private static List<Known> found(Class<?> target) throws IOException {
    String name = target.getSimpleName() + SUFFIX;
    List<Known> inputs = new ArrayList<>();
    try (InputStream resource = target.getResourceAsStream(name)) {
      if (resource != null) {
        List<String> lines =
            new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))
                .lines()
                .toList();
        for (int i = 0; i < lines.size(); i++) {
          if (!lines.get(i).startsWith(COMMENT)) {
            inputs.add(new Known(name + " line " + (i + 1), decode(lines.get(i))));
          }
        }
      }
    }
    return inputs;
  }

  static String encode(byte[] input) {
    return Base64.getEncoder().encodeToString(input);
  }

  private static byte[] decode(String line) {
    return Base64.getDecoder().decode(line);
  }
}
