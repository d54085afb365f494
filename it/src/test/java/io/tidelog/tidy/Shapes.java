package io.tidelog.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;

/** What classes and methods look like, found by walking one file. */
final class Shapes extends TreePathScanner<Void, Void> {

  /**
   * A method or constructor that somebody wrote.
   *
   * @param place where it is, for a message
   * @param lines from its first line, modifiers included, to its closing brace
   * @param parameters how many it has; 0 for the constructor of a record, whose parameters are its
   *     components
   * @param hasFlag whether a boolean parameter is open to callers who do not know its name
   */
  record Method(String place, long lines, int parameters, boolean hasFlag) {}

  /**
   * A type.
   *
   * @param place where it is, for a message
   * @param name its simple name
   * @param isDocumented whether it has a doc comment
   * @param isOpen whether it is public and stands in its own file
   */
  record Type(String place, String name, boolean isDocumented, boolean isOpen) {}

  private final Sources.Source source;
  private final String fileName;
  private final List<Method> methods = new ArrayList<>();
  private final List<Type> types = new ArrayList<>();

  private Shapes(Sources.Source source, String fileName) {
    this.source = source;
    this.fileName = fileName;
  }

  static Shapes of(Project project, Sources.Source source) {
    Shapes shapes = new Shapes(source, project.nameOf(source.file()));
    shapes.scan(source.unit(), null);
    return shapes;
  }

  List<Method> methods() {
    return methods;
  }

  List<Type> types() {
    return types;
  }

  @Override
  public Void visitClass(ClassTree type, Void nothing) {
    if (!type.getSimpleName().isEmpty()) {
      boolean isTop = getCurrentPath().getParentPath().getLeaf() == source.unit();
      types.add(
          new Type(
              fileName + " " + type.getSimpleName(),
              type.getSimpleName().toString(),
              source.docComment(getCurrentPath()) != null,
              isTop && type.getModifiers().getFlags().contains(Modifier.PUBLIC)));
    }
    return super.visitClass(type, nothing);
  }

  @Override
  public Void visitMethod(MethodTree method, Void nothing) {
    TreePath parent = getCurrentPath().getParentPath();
    boolean isOfRecord =
        parent.getLeaf().getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
    boolean isPrivate = method.getModifiers().getFlags().contains(Modifier.PRIVATE);
    boolean isOverride =
        method.getModifiers().getAnnotations().stream()
            .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    methods.add(
        new Method(
            "%s:%d %s".formatted(fileName, source.startLine(method), method.getName()),
            source.endLine(method) - source.startLine(method) + 1,
            isOfRecord ? 0 : method.getParameters().size(),
            !isOfRecord
                && !isPrivate
                && !isOverride
                && method.getParameters().stream()
                    .anyMatch(parameter -> parameter.getType().toString().equals("boolean"))));
    return super.visitMethod(method, nothing);
  }
}
