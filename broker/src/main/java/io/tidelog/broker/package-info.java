/**
 * Job: puts a broker together from its settings, starts it, and stops it so that the next start
 * finds everything in order.
 *
 * <p>Start reading at: {@link io.tidelog.broker.Broker}.
 *
 * <p>Uses: net, handler, coordinator, topic, protocol, store, log, checkpoint, disk, Kafka's
 * metadata image and feature names, slf4j.
 *
 * <p>Threads: start and close are called by one thread; what they answer may be asked on any. The
 * threads of a broker are its event loops, the background threads of its store, one each for
 * changes of topics, for groups and for transactions, and those of Kafka's coordinators; none is
 * left after close.
 */
package io.tidelog.broker;
