package io.tidelog.record;

/**
 * The codecs of one caller, made when first asked for and then used again and again: codec states
 * are dear and hold native memory, so each thread that packs or unpacks keeps one of these. Used by
 * one thread.
 */
public interface Codecs extends AutoCloseable {

  /**
   * The unpacker of a compression. There is one: opening it again ends what it was doing.
   *
   * @throws IllegalArgumentException for {@link Compression#NONE}
   */
  Unpacker unpacker(Compression compression);

  /**
   * The packer of a compression and level.
   *
   * @throws IllegalArgumentException for {@link Compression#NONE}
   */
  Packer packer(Packing packing);

  /** Frees native memory. Unpackers and packers may not be used afterwards. */
  @Override
  void close();
}
