package io.tidelog.record.compress;

/** A codec that holds memory outside of the Java heap. */
interface NativeState {

  /** Gives it back; the codec may not be used afterwards. */
  void free();
}
