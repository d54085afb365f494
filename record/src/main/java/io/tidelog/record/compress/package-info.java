/**
 * Job: gzip, snappy, lz4 and zstd as Kafka frames them, behind {@link io.tidelog.record.Codecs}, in
 * memory that does not depend on what packed bytes claim.
 *
 * <p>Start reading at: {@link io.tidelog.record.compress.KafkaCodecs}.
 *
 * <p>Uses: record, and the native code of zstd-jni, lz4-java and snappy-java.
 *
 * <p>Threads: one {@code KafkaCodecs} per thread; nothing is shared.
 *
 * <h2>History</h2>
 *
 * The frames are those of record batch version 2, as Kafka 4.4.0 writes and reads them: no lz4
 * frame with the header checksum of older versions.
 */
package io.tidelog.record.compress;
