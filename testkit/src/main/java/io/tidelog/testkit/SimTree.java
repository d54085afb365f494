package io.tidelog.testkit;

import io.tidelog.disk.NotAFileException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** All files and directories of a {@link SimDisk}. Guarded by the disk. */
final class SimTree {
  private final SimDirectory root;
  private final NameChanges changes = new NameChanges();

  SimTree() {
    this(new SimDirectory());
  }

  private SimTree(SimDirectory root) {
    this.root = root;
  }

  /** The node of this name, or null. */
  SimNode find(Path path) {
    SimNode node = root;
    for (Path name : absolute(path)) {
      if (!(node instanceof SimDirectory directory)) {
        return null;
      }
      node = directory.entries.get(name.toString());
    }
    return node;
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  SimNode require(Path path) throws IOException {
    SimNode node = find(path);
    if (node == null) {
      requireNoFileAbove(path);
      throw new NoSuchFileException(path.toString());
    }
    return node;
  }

  private void requireNoFileAbove(Path path) throws IOException {
    Path parent = absolute(path).getParent();
    for (Path above = parent; above != null; above = above.getParent()) {
      if (find(above) instanceof SimContents) {
        throw new FileSystemException(path.toString(), null, above + " is not a directory");
      }
    }
  }

  SimContents file(Path path) throws IOException {
    if (require(path) instanceof SimContents file) {
      return file;
    }
    throw NotAFileException.directory(path);
  }

  SimDirectory directory(Path path) throws IOException {
    if (require(path) instanceof SimDirectory directory) {
      return directory;
    }
    throw new NotDirectoryException(path.toString());
  }

  private SimDirectory parent(Path path) throws IOException {
    Path parent = absolute(path).getParent();
    if (parent == null) {
      throw new FileSystemException(path.toString(), null, "the root cannot be changed");
    }
    requireNoFileAbove(path);
    return directory(parent);
  }

  private static String name(Path path) {
    return absolute(path).getFileName().toString();
  }

  List<String> list(Path directory) throws IOException {
    return List.copyOf(directory(directory).entries.keySet());
  }

  SimContents create(Path path, long nowMs) throws IOException {
    SimDirectory parent = parent(path);
    if (parent.entries.containsKey(name(path))) {
      throw new FileAlreadyExistsException(path.toString());
    }
    SimContents file = new SimContents(nowMs);
    parent.entries.put(name(path), file);
    changes.created(file, parent, name(path));
    return file;
  }

  void createDirectories(Path path) throws IOException {
    SimNode node = find(path);
    if (node instanceof SimDirectory) {
      return;
    }
    if (node != null) {
      throw new FileAlreadyExistsException(path.toString());
    }
    requireNoFileAbove(path);
    createDirectories(absolute(path).getParent());
    SimDirectory parent = parent(path);
    SimDirectory created = new SimDirectory();
    parent.entries.put(name(path), created);
    changes.created(created, parent, name(path));
  }

  /** What lost its name by it, or null. */
  SimNode rename(Path from, Path to) throws IOException {
    SimDirectory oldParent = parent(from);
    SimDirectory newParent = parent(to);
    SimNode node = require(from);
    SimNode replaced = newParent.entries.get(name(to));
    if (replaced == node) {
      return null;
    }
    requireReplaceable(node, replaced, to);
    if (node instanceof SimDirectory && absolute(to).startsWith(absolute(from))) {
      throw new FileSystemException(from.toString(), to.toString(), "a directory into itself");
    }
    oldParent.entries.remove(name(from));
    newParent.entries.put(name(to), node);
    changes.renamed(oldParent, name(from), newParent, name(to));
    return replaced;
  }

  private static void requireReplaceable(SimNode node, SimNode replaced, Path to)
      throws IOException {
    boolean allowed =
        replaced == null
            || (node instanceof SimContents && replaced instanceof SimContents)
            || (node instanceof SimDirectory
                && replaced instanceof SimDirectory directory
                && directory.entries.isEmpty());
    if (!allowed) {
      throw new FileSystemException(to.toString(), null, "is there and cannot be replaced");
    }
  }

  SimNode delete(Path path) throws IOException {
    SimNode node = require(path);
    if (node instanceof SimDirectory directory && !directory.entries.isEmpty()) {
      throw new DirectoryNotEmptyException(path.toString());
    }
    SimDirectory parent = parent(path);
    parent.entries.remove(name(path));
    changes.deleted(node, parent, name(path));
    return node;
  }

  void sync(Path directory) throws IOException {
    changes.sync(directory(directory));
  }

  long totalBytes() {
    return root.totalBytes();
  }

  SimTree afterCrash(CrashLuck luck) {
    return new SimTree(copy(root, changes.afterCrash(luck), luck));
  }

  private static SimDirectory copy(
      SimDirectory directory, Function<SimDirectory, Map<String, SimNode>> names, CrashLuck luck) {
    SimDirectory copy = new SimDirectory();
    names
        .apply(directory)
        .forEach(
            (name, node) ->
                copy.entries.put(
                    name,
                    node instanceof SimDirectory below
                        ? copy(below, names, luck)
                        : ((SimContents) node).afterCrash(luck)));
    copy.durable.putAll(copy.entries);
    return copy;
  }
}
