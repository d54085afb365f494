/**
 * Job: keeps the sources and the documents in the shape that CONTRIBUTING.md asks for, as tests
 * that fail.
 *
 * <p>Start reading at: {@link io.tidelog.tidy.ArrowsTest}, then {@link
 * io.tidelog.tidy.SourcesAreTidyTest}.
 *
 * <p>Uses: the JDK's own parser of Java, ArchUnit.
 *
 * <p>Threads: one.
 */
package io.tidelog.tidy;
