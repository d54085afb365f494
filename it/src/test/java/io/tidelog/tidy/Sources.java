package io.tidelog.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The project's Java files as the compiler reads them, without looking anything up. */
final class Sources {

  /**
   * One file.
   *
   * @param file where it lies
   * @param unit what the parser found in it
   * @param docs finds the doc comments of it
   */
  record Source(Path file, CompilationUnitTree unit, DocTrees docs) {

    /** The line on which a position lies. */
    long line(long position) {
      return unit.getLineMap().getLineNumber(position);
    }

    String docComment(TreePath path) {
      return docs.getDocComment(path);
    }

    long startLine(Tree tree) {
      return line(docs.getSourcePositions().getStartPosition(unit, tree));
    }

    long endLine(Tree tree) {
      return line(docs.getSourcePositions().getEndPosition(unit, tree));
    }
  }

  private Sources() {}

  /** Parses files. */
  static List<Source> parse(List<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, List.of(), null, manager.getJavaFileObjectsFromPaths(files));
      DocTrees docs = DocTrees.instance(task);
      List<Source> sources = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        sources.add(new Source(Path.of(unit.getSourceFile().toUri()), unit, docs));
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
