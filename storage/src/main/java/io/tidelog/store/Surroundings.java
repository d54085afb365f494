package io.tidelog.store;

import io.tidelog.disk.Disk;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What a store takes from outside: tests pass simulated ones.
 *
 * @param disk the door to files
 * @param clock wall clock, for append time, retention, expiry
 * @param random for segment.jitter.ms
 * @param scheduler background work
 * @param events told what happens that a person may want to know
 */
public record Surroundings(
    Disk disk,
    InstantSource clock,
    RandomGenerator random,
    Scheduler scheduler,
    StoreEvents events) {}
