package io.tidelog.cli.dump;

import io.tidelog.segment.SegmentFiles;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a segment's file says: base offset and kind. What stands after the kind is
 * passed over ({@code .deleted}, {@code .cleaned}, {@code .swap}, {@code .<position>.cut}), as is
 * the epoch of a metadata snapshot.
 *
 * @param baseOffset the 20 digits
 * @param suffix one of {@link SegmentFiles}' suffixes, or {@link #METADATA_SNAPSHOT}
 */
record SegmentName(long baseOffset, String suffix) {
  static final String METADATA_SNAPSHOT = ".checkpoint";

  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{20})(?:-[0-9]{10})?(\\.log|\\.index|\\.timeindex|\\.txnindex|\\.snapshot|\\.checkpoint)"
              + "(?:\\..*)?");

  static Optional<SegmentName> of(Path file) {
    Matcher matcher = FORM.matcher(file.getFileName().toString());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SegmentName(Long.parseLong(matcher.group(1)), matcher.group(2)));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }
}
