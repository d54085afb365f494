package io.tidelog.verify;

import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.recovery.ContradictedStartException;
import io.tidelog.recovery.KnownState;
import io.tidelog.recovery.StartWitness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Asks what a start would ask: whether anybody can tell where a partition's log begins. */
final class StartCheck {
  private final PartitionContext context;
  private final FindingList findings;

  StartCheck(PartitionContext context, FindingList findings) {
    this.context = context;
    this.findings = findings;
  }

  /** After a crash one of the two numbers decides; after a clean stop they say the same. */
  void check() {
    Optional<Long> start = context.state().offset(Kind.LOG_START, context.partition());
    if (context.state().stop() != Stop.CLEAN || start.isEmpty()) {
      return;
    }
    KnownState known =
        new KnownState(
            KnownState.Stop.CLEAN,
            context.state().offset(Kind.RECOVERY_POINT, context.partition()).orElse(0L),
            start.get());
    try {
      new StartWitness(context.disk(), context.files().folder(), decided -> {}).hear(known);
    } catch (ContradictedStartException contradicted) {
      findings.add(finding(start.get(), contradicted));
    } catch (IOException toldByOtherChecks) {
      // A file that cannot be read contradicts nothing.
    }
  }

  private Finding finding(long start, ContradictedStartException contradicted) {
    Path folder = context.files().folder().toAbsolutePath();
    long witnessed = contradicted.witnessed();
    return Finding.of(
            FindingKind.START_CONTRADICTED,
            folder.resolveSibling(Kind.LOG_START.fileName()),
            0,
            "%s %d".formatted(context.partition(), start),
            "%d, where its leader-epoch-checkpoint begins".formatted(witnessed))
        .about(Math.min(start, witnessed), Math.max(start, witnessed));
  }
}
