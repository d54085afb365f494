package io.tidelog.protocol;

/** A claim on the memory that a frame lies in. */
@FunctionalInterface
public interface FrameBuffer {

  /** Gives the claim up. Called once, from any thread. */
  void release();
}
