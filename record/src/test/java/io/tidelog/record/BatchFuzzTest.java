package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.BatchRules.KeyRule;
import io.tidelog.record.BatchRules.SizeRule;
import io.tidelog.record.BatchRules.TimestampRule;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Whatever is produced, it is refused in the one typed way or stored, in memory of about its own
 * size; the verdict and the bytes are Kafka's; and what is stored is sound: it passes once more, as
 * it is, and we and Kafka read the same records from it.
 *
 * <p>The first byte of an input chooses the rules, the rest is what was produced.
 */
class BatchFuzzTest implements FuzzTarget {
  private static final int SEALED = 1;
  private static final int PACKING_SHIFT = 1;
  private static final int PACKING_MASK = 7;
  private static final int APPEND_TIME = 1 << 4;
  private static final int KEY_REQUIRED = 1 << 5;
  private static final int STRICT_TIMES = 1 << 6;
  private static final int FROM_BROKER = 1 << 7;

  private static final SizeRule SIZES = new SizeRule(1 << 20, new UnpackLimits(1 << 20, 8 << 20));
  private static final TimestampRule ANY_TIME =
      new TimestampRule(TimestampType.CREATE_TIME, Long.MAX_VALUE, Long.MAX_VALUE);
  private static final MemoryBound MEMORY = MemoryBound.of(512 << 10, 128);

  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final BatchValidator validator = new BatchValidator(codecs);
  private final VerdictsAgree verdicts = new VerdictsAgree();

  @Test
  void every_known_input_is_refused_or_stored_soundly() throws Exception {
    KnownInputs.replay(this);
    codecs.close();
  }

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (Compression compression : Compression.values()) {
      seeds.add(chosen(SEALED | PACKING_MASK << PACKING_SHIFT, mixed(compression)));
      seeds.add(chosen(SEALED | compression.code() << PACKING_SHIFT, mixed(Compression.GZIP)));
    }
    for (long seed = 0; seed < 40; seed++) {
      MutatedBatch source = new MutatedBatch(seed);
      seeds.add(chosen((int) seed * 6 | SEALED, source.batch()));
    }
    return seeds;
  }

  private static ByteBuffer mixed(Compression compression) {
    List<Samples.Row> rows = new ArrayList<>(Samples.mixedRows());
    rows.set(4, new Samples.Row(4, -1, "no time", "x".repeat(20), List.of("ключ=значение")));
    return Samples.byUs(rows, compression);
  }

  private static byte[] chosen(int rules, ByteBuffer produced) {
    byte[] input = new byte[1 + produced.remaining()];
    input[0] = (byte) rules;
    produced.get(produced.position(), input, 1, produced.remaining());
    return input;
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length > 0) {
      byte[] produced = Arrays.copyOfRange(input, 1, input.length);
      if ((input[0] & SEALED) != 0 && produced.length >= RecordBatch.HEADER_BYTES) {
        Samples.sealed(ByteBuffer.wrap(produced));
      }
      check(
          rules(input[0]), (input[0] & FROM_BROKER) == 0 ? Origin.CLIENT : Origin.BROKER, produced);
    }
  }

  private static BatchRules rules(byte choice) {
    int packing = choice >> PACKING_SHIFT & PACKING_MASK;
    boolean isStrict = (choice & STRICT_TIMES) != 0;
    return new BatchRules(
        new TimestampRule(
            (choice & APPEND_TIME) != 0 ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
            isStrict ? 10_000 : Long.MAX_VALUE,
            isStrict ? 5 : 3_600_000),
        SIZES,
        packing < Compression.values().length
            ? Optional.of(Packing.of(Compression.of(packing)))
            : Optional.empty(),
        (choice & KEY_REQUIRED) != 0 ? KeyRule.REQUIRED : KeyRule.OPTIONAL);
  }

  private void check(BatchRules rules, Origin origin, byte[] produced) throws Exception {
    MEMORY.check(produced.length, () -> refusedOrStored(rules, origin, produced.clone()));
    Optional<ByteBuffer> stored = refusedOrStored(rules, origin, produced.clone());
    if (stored.isPresent()) {
      isSound(stored.get());
    }
    if (origin == Origin.CLIENT) {
      verdicts.check(validator, rules, ByteBuffer.wrap(produced));
    }
  }

  private Optional<ByteBuffer> refusedOrStored(BatchRules rules, Origin origin, byte[] produced) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(produced);
      return Optional.of(
          Samples.copy(validator.validate(bytes, origin, rules, Samples.NOW).batch()));
    } catch (InvalidBatchException refused) {
      assertThat(refused).message().isNotBlank();
      return Optional.empty();
    }
  }

  private void isSound(ByteBuffer stored) {
    RecordBatch batch = RecordBatch.at(stored, 0);
    assertThat(batch.crc()).isEqualTo(batch.computeCrc());
    assertThat(Samples.readByUs(stored)).isEqualTo(Samples.readByKafka(stored));
    if (batch.timestampType() == TimestampType.CREATE_TIME) {
      ByteBuffer again = Samples.direct(stored);
      BatchRules asItIs = new BatchRules(ANY_TIME, SIZES, Optional.empty(), KeyRule.OPTIONAL);
      validator.validate(again, Origin.BROKER, asItIs, Samples.NOW);
      assertThat(again).isEqualTo(stored);
    }
  }
}
