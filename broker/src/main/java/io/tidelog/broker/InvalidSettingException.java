package io.tidelog.broker;

/** A setting has a value that it cannot have. The message is one sentence: name, value, allowed. */
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidSettingException(String message) {
    super(message);
  }

  static InvalidSettingException of(String name, String value, String allowed) {
    return new InvalidSettingException(name + " is \"" + value + "\", allowed is " + allowed);
  }
}
