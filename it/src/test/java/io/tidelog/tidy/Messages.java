package io.tidelog.tidy;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts in sources, each joined from the pieces between which only the line was broken; what is
 * computed in between is an ellipsis.
 */
final class Messages extends TreeScanner<Void, Void> {
  private static final String COMPUTED = "…";

  private final List<String> found = new ArrayList<>();

  private Messages() {}

  static List<String> in(List<Sources.Source> sources) {
    Messages messages = new Messages();
    sources.forEach(source -> messages.scan(source.unit(), null));
    return messages.found;
  }

  @Override
  public Void visitBinary(BinaryTree tree, Void nothing) {
    if (tree.getKind() == Tree.Kind.PLUS) {
      StringBuilder text = new StringBuilder();
      join(tree, text);
      found.add(text.toString());
    }
    return super.visitBinary(tree, nothing);
  }

  private static void join(Tree tree, StringBuilder text) {
    if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
      join(sum.getLeftOperand(), text);
      join(sum.getRightOperand(), text);
    } else if (tree instanceof LiteralTree literal) {
      text.append(withoutPlaceholders(literal));
    } else {
      text.append(COMPUTED);
    }
  }

  @Override
  public Void visitLiteral(LiteralTree literal, Void nothing) {
    found.add(withoutPlaceholders(literal));
    return super.visitLiteral(literal, nothing);
  }

  private static String withoutPlaceholders(LiteralTree literal) {
    return String.valueOf(literal.getValue()).replaceAll("%[0-9,]*[a-z]|\\{}", COMPUTED);
  }
}
