package io.tidelog.record;

import java.util.List;

/**
 * A batch breaks a rule of the format or of its topic. The message says what was found and what was
 * expected; {@link #reason} is for code that must choose an answer.
 */
public final class InvalidBatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of fault, as coarse as the answers that clients understand. */
  public enum Reason {
    /** The bytes are not what the producer sent, or were cut: sending them again may help. */
    CORRUPT,
    /** The bytes arrived as sent but break a rule: sending them again cannot help. */
    INVALID_RECORD,
    /** Another format version than 2. */
    UNSUPPORTED_MAGIC,
    /** An unknown compression code, or one that may not be used here. */
    UNSUPPORTED_COMPRESSION,
    /** A record's timestamp is outside of what the topic allows. */
    INVALID_TIMESTAMP,
    /** The batch is larger than allowed, packed or unpacked. */
    TOO_LARGE
  }

  private final Reason reason;
  private final transient List<RecordError> recordErrors;

  public InvalidBatchException(Reason reason, String message) {
    this(reason, message, List.of());
  }

  /** A fault of single records. */
  public InvalidBatchException(Reason reason, String message, List<RecordError> recordErrors) {
    super(message);
    this.reason = reason;
    this.recordErrors = List.copyOf(recordErrors);
  }

  public Reason reason() {
    return reason;
  }

  /** The records at fault, in order, as far as they are known; empty if it is the whole batch's. */
  public List<RecordError> recordErrors() {
    return recordErrors == null ? List.of() : recordErrors;
  }
}
