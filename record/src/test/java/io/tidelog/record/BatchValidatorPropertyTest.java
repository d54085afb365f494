package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.compress.KafkaCodecs;
import org.junit.jupiter.api.Test;

/**
 * Holds the validator against Kafka's on batches made at random; {@link VerdictsAgree} lists where
 * we mean to differ.
 */
class BatchValidatorPropertyTest {
  private static final long FIRST_SEED = 20_261_130;
  private static final int BATCHES = 20_000;

  private final VerdictsAgree verdicts = new VerdictsAgree();

  @Test
  void verdict_and_stored_bytes_are_kafkas_but_for_the_listed_differences() {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      BatchValidator validator = new BatchValidator(codecs);
      for (long seed = FIRST_SEED; seed < FIRST_SEED + BATCHES; seed++) {
        try {
          MutatedBatch source = new MutatedBatch(seed);
          verdicts.check(validator, source.rules(), source.batch());
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError("seed " + seed + " failed", e);
        }
      }
    }
    assertThat(verdicts.bothAccept()).isGreaterThan(BATCHES / 5);
    assertThat(verdicts.bothRefuse()).isGreaterThan(BATCHES / 5);
    assertThat(verdicts.rebuilt()).isGreaterThan(BATCHES / 20);
    assertThat(verdicts.seen()).containsOnlyKeys(VerdictsAgree.Difference.values());
  }
}
