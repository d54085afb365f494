package io.tidelog.cli;

import picocli.CommandLine.IVersionProvider;

/** Answers {@code --version}, from the manifest of the jar. */
final class Version implements IVersionProvider {
  private static final String UNKNOWN = "(not run from its jar)";

  @Override
  public String[] getVersion() {
    String version = Tidelog.class.getPackage().getImplementationVersion();
    return new String[] {
      "tidelog " + (version == null ? UNKNOWN : version) + " on Java " + Runtime.version()
    };
  }
}
