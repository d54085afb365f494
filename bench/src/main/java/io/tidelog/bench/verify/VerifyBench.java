package io.tidelog.bench.verify;

import io.tidelog.bench.result.Comparison;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Report;
import io.tidelog.bench.run.Scratch;
import io.tidelog.bench.verify.LargeSegment.Batches;
import io.tidelog.record.Compression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How long does it take to check a segment of 1 GiB? {@code tidelog verify} beside Kafka's
 * DumpLogSegments, shallow and deep, and beside a bare read: whole processes, the file in the page
 * cache. A CRC-32C costs about 0.1 s per GiB and core, so that the start of a JVM is a good part of
 * the shallow check. Prints a row for each figure as soon as it is known, and writes all of them
 * down.
 */
public final class VerifyBench {
  private static final double SHALLOW_TARGET = 1 / 8.0;
  private static final double DEEP_TARGET = 1 / 5.0;

  private final Path tidelog;
  private final Path java;

  private VerifyBench(Path tidelog, Path java) {
    this.tidelog = tidelog;
    this.java = java;
  }

  /**
   * A segment, and what the checks of it are to be.
   *
   * @param name what it is called in the table
   * @param batches what it is made of
   * @param shallow seconds of a check
   * @param deep seconds of a check of all records
   */
  private record Shape(String name, Batches batches, Figure shallow, Figure deep) {}

  /**
   * Of one-record batches each costs its header, and Kafka's tool two system calls; the targets are
   * for these. Large ones are read as fast as the bytes come.
   */
  private static List<Shape> shapes() {
    Figure shallow = Figure.of("shallow", "s");
    Figure deep = Figure.of("deep", "s");
    return List.of(
        new Shape(
            "verify-1x1k",
            new Batches(Compression.NONE, 1),
            shallow.atMost(SHALLOW_TARGET),
            deep.atMost(DEEP_TARGET)),
        new Shape("verify-16x1k", new Batches(Compression.NONE, 16), shallow, deep),
        new Shape("verify-16x1k-lz4", new Batches(Compression.LZ4, 16), shallow, deep));
  }

  /**
   * Measures.
   *
   * @param args the {@code tidelog} launcher, the Java to run Kafka's tool with, the folder for
   *     results
   */
  public static void main(String[] args) throws Exception {
    VerifyBench bench = new VerifyBench(Path.of(args[0]), Path.of(args[1]));
    Report report = Report.begin(bench.java, "verify, " + Checks.ROUNDS + " pairs");
    for (Shape shape : shapes()) {
      bench.measure(shape).forEach(report::add);
    }
    report.write(Path.of(args[2]), "verify");
  }

  private List<Comparison> measure(Shape shape) throws IOException, InterruptedException {
    try (Scratch scratch = new Scratch()) {
      Path log = LargeSegment.write(scratch.folder("data"), shape.batches);
      Checks checks = Checks.run(tidelog, java, log);
      return List.of(
          checks.wall(shape.name, shape.shallow, Checks.Depth.SHALLOW),
          checks.cpu(shape.name, Figure.of("shallow, CPU", "s"), Checks.Depth.SHALLOW),
          checks.wall(shape.name, shape.deep, Checks.Depth.DEEP),
          checks.cpu(shape.name, Figure.of("deep, CPU", "s"), Checks.Depth.DEEP),
          checks.besideRead(shape.name, Figure.of("shallow", "s").besideFloor()));
    }
  }
}
