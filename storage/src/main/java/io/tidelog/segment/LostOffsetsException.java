package io.tidelog.segment;

/** The offset that was asked for is lost with a damaged stretch of the log. */
public final class LostOffsetsException extends CorruptLogException {
  private static final long serialVersionUID = 1L;

  private final transient DamagedStretch stretch;

  public LostOffsetsException(DamagedStretch stretch) {
    super(stretch.file(), stretch.part().from(), stretch.consequence());
    this.stretch = stretch;
  }

  /** The stretch; its end offset is the next one that can be read. */
  public DamagedStretch stretch() {
    return stretch;
  }
}
