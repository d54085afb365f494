package io.tidelog.cli.client;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Streams;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidelog topics delete}. */
@Command(name = "delete", description = "Delete topics with all their records.")
public final class TopicsDeleteCommand implements Callable<Integer> {
  private final Streams streams;

  @Parameters(arity = "1..*", paramLabel = "NAME", description = "The topics.")
  private List<String> names;

  @Mixin private BrokerOptions broker;

  public TopicsDeleteCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try (TopicAdmin admin = TopicAdmin.open(broker)) {
      for (String name : names) {
        admin.await(
            name + " could not be deleted", admin.admin().deleteTopics(List.of(name)).all());
        streams.out().println("Deleted " + name);
      }
    }
    return ExitCode.OK;
  }
}
