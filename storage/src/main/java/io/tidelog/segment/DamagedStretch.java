package io.tidelog.segment;

import java.nio.file.Path;

/**
 * A place in a {@code .log} file that holds no sound batch.
 *
 * @param file the log
 * @param part its bytes, from the end of the last sound batch to the start of the next one, or to
 *     the end of what was looked at; and the offsets that are lost with them, which may be none.
 *     Its end offset is {@link LogPart#OPEN} if no sound batch follows and nobody knows where the
 *     log ends
 * @param finding what stands there instead of a batch, as the rest of a sentence
 */
public record DamagedStretch(Path file, LogPart part, String finding) {

  /** Whether an offset is lost here. */
  public boolean holds(long offset) {
    return offset >= part.firstOffset() && offset < part.endOffset();
  }

  /** The same stretch, of which it is known now up to where offsets are lost. */
  public DamagedStretch endingAt(long endOffset) {
    return new DamagedStretch(
        file, new LogPart(part.from(), part.to(), part.firstOffset(), endOffset), finding);
  }

  /** Where, what was found, what cannot be read, and what can. */
  @Override
  public String toString() {
    return file + " at byte " + part.from() + ": " + consequence();
  }

  String consequence() {
    String bytes =
        "%s; bytes %d to %d hold no sound batch".formatted(finding, part.from(), part.to());
    if (part.endOffset() == LogPart.OPEN) {
      return bytes + ", so nothing from offset %d on can be read".formatted(part.firstOffset());
    }
    return part.firstOffset() == part.endOffset()
        ? bytes + " and no offset is lost with them"
        : bytes
            + ", so offsets %d to %d cannot be read, the next good offset is %d"
                .formatted(part.firstOffset(), part.endOffset() - 1, part.endOffset());
  }
}
