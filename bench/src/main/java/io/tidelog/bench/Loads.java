package io.tidelog.bench;

import io.tidelog.bench.life.Crash;
import io.tidelog.bench.life.Restart;
import io.tidelog.bench.life.Start;
import io.tidelog.bench.load.Durable;
import io.tidelog.bench.load.EndToEnd;
import io.tidelog.bench.load.Footprint;
import io.tidelog.bench.load.Growth;
import io.tidelog.bench.load.IdempotentProduce;
import io.tidelog.bench.load.Idle;
import io.tidelog.bench.load.JavaConsume;
import io.tidelog.bench.load.JavaProduce;
import io.tidelog.bench.load.RawFetch;
import io.tidelog.bench.load.RawFigures;
import io.tidelog.bench.load.RawProduce;
import io.tidelog.bench.load.RawProduce.Checks;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;

/** All loads, with the ratios that they are to have. */
final class Loads {
  private static final int ONE = 1;
  private static final int FOUR = 4;
  private static final int EIGHT = 8;

  private Loads() {}

  /** All of them, in the order of the table. */
  static List<Load> all(Plan plan) {
    List<Load> all = new ArrayList<>();
    all.add(new RawProduce("produce-1k", Payload.ONE_KIB, ONE, perRequest(1 / 6.0)));
    all.add(new RawProduce("produce-16k", Payload.KIB_16, ONE, perRequest(1 / 4.0)));
    all.add(
        new RawProduce(
            "produce-1m",
            Payload.MIB_1,
            ONE,
            List.of(
                RawFigures.PER_GIB.atMost(1 / 1.7), RawFigures.PER_GIB.besideFloor().atMost(1.3))));
    all.add(
        new RawProduce(
            "produce-8x16k",
            Payload.KIB_16,
            EIGHT,
            List.of(RawFigures.PER_GIB.atMost(1 / 3.0), RawFigures.RATE)));
    all.add(new IdempotentProduce());
    all.add(packed("produce-lz4", CompressionType.LZ4, Checks.USUAL, 1 / 3.0));
    all.add(packed("produce-zstd", CompressionType.ZSTD, Checks.USUAL, 1 / 3.0));
    all.add(packed("produce-lz4-header", CompressionType.LZ4, Checks.HEADER, 1 / 6.0));
    all.add(packed("produce-zstd-header", CompressionType.ZSTD, Checks.HEADER, 1 / 6.0));
    all.add(new RawFetch("fetch-16k", FOUR, 1, perRequest(1 / 6.0)));
    all.add(new RawFetch("fetch-64k", FOUR, 4, perRequest(1 / 4.0)));
    all.add(
        new RawFetch(
            "fetch-1m",
            ONE,
            64,
            List.of(
                RawFigures.PER_REQUEST.atMost(1 / 1.2),
                RawFigures.PER_GIB.besideFloor().atMost(1.2))));
    all.add(new JavaProduce());
    all.add(new JavaConsume());
    all.add(new EndToEnd());
    all.add(new Durable());
    all.add(new Start());
    all.add(new Idle());
    all.add(new Restart());
    all.add(new Crash());
    all.add(new Growth(Growth.Of.CONNECTIONS, plan.sizes().connectionSteps()));
    all.add(new Growth(Growth.Of.PARTITIONS, plan.sizes().partitionSteps()));
    all.add(new Footprint());
    return all;
  }

  private static List<Figure> perRequest(double target) {
    return List.of(RawFigures.PER_REQUEST.atMost(target), RawFigures.RATE);
  }

  private static Load packed(String name, CompressionType type, Checks checks, double target) {
    return new RawProduce(
        name, Payload.packed(Compression.of(type).build()), ONE, checks, perRequest(target));
  }
}
