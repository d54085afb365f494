package io.tidelog.broker;

import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef;

/**
 * A server-level setting: what it is called and what it may be.
 *
 * @param name Kafka's name for it
 * @param type what it holds
 * @param byDefault its default; null if there is none
 * @param allowed what it may be, in words
 * @param fits whether a value, without blanks around it, is allowed
 */
record Setting(
    String name, ConfigDef.Type type, String byDefault, String allowed, Predicate<String> fits) {

  static Setting wholeNumber(String name, String byDefault, long least, long most) {
    return new Setting(
        name,
        most > Integer.MAX_VALUE ? ConfigDef.Type.LONG : ConfigDef.Type.INT,
        byDefault,
        "a whole number from " + least + " to " + most,
        text -> isWholeNumber(text, least, most));
  }

  static Setting realNumber(String name, String byDefault, double least, double most) {
    return new Setting(
        name,
        ConfigDef.Type.DOUBLE,
        byDefault,
        most == Double.MAX_VALUE
            ? "a number from " + least
            : "a number from " + least + " to " + most,
        text -> isNumber(text, least, most));
  }

  private static boolean isNumber(String text, double least, double most) {
    try {
      double number = Double.parseDouble(text);
      return least <= number && number <= most;
    } catch (NumberFormatException notANumber) {
      return false;
    }
  }

  /** As {@link #wholeNumber}, where -1 leaves the choice to the broker. */
  static Setting numberOrChoice(String name, long least) {
    return new Setting(
        name,
        ConfigDef.Type.LONG,
        "-1",
        "-1 or a whole number from " + least,
        text -> text.equals("-1") || isWholeNumber(text, least, Long.MAX_VALUE));
  }

  static Setting flag(String name, String byDefault) {
    return new Setting(
        name,
        ConfigDef.Type.BOOLEAN,
        byDefault,
        "true or false",
        text -> text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"));
  }

  /** A setting whose form is checked where it is read. */
  static Setting text(String name, String byDefault) {
    return new Setting(name, ConfigDef.Type.STRING, byDefault, "any text", text -> true);
  }

  /** As {@link #text}, with commas between the items. */
  static Setting list(String name, String byDefault) {
    return new Setting(name, ConfigDef.Type.LIST, byDefault, "any list", text -> true);
  }

  private static boolean isWholeNumber(String text, long least, long most) {
    try {
      long number = Long.parseLong(text);
      return least <= number && number <= most;
    } catch (NumberFormatException notANumber) {
      return false;
    }
  }

  void check(String value) {
    if (!fits.test(value)) {
      throw InvalidSettingException.of(name, value, allowed);
    }
  }
}
