package io.tidelog.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the project, without what a build or a run leaves behind. */
final class Project {
  private static final Set<String> LEFT_OUT =
      Set.of("target", "data", ".git", ".tidelog", ".idea", "node_modules");

  private final Path root;
  private final List<Path> files;

  private Project(Path root, List<Path> files) {
    this.root = root;
    this.files = files;
  }

  /** Finds the project that the working directory belongs to. */
  static Project find() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("tidelog")) || !Files.exists(root.resolve("dev"))) {
      root = root.getParent();
    }
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(root, new Collecting(files));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Project(root, files.stream().sorted().toList());
  }

  private static final class Collecting extends SimpleFileVisitor<Path> {
    private final List<Path> files;

    Collecting(List<Path> files) {
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return LEFT_OUT.contains(directory.getFileName().toString())
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile()) {
        files.add(file);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  /** All files whose name ends so, sorted. */
  List<Path> files(String nameEnd) {
    return files.stream().filter(file -> file.toString().endsWith(nameEnd)).toList();
  }

  /** Every file that a person reads: code, documents, scripts, settings. */
  List<Path> texts() {
    return files.stream()
        .filter(
            file ->
                file.toString()
                    .matches(".*(\\.(java|md|xml|properties|sh|txt)|/(tidelog|dev|run))"))
        .toList();
  }

  Path file(String name) {
    return root.resolve(name);
  }

  /** How a file is named in a message: from the root on, with slashes. */
  String nameOf(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
