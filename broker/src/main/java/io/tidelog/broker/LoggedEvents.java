package io.tidelog.broker;

import io.tidelog.store.StoreEvents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what happens in a store into log lines. */
final class LoggedEvents implements StoreEvents {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedEvents.class);

  @Override
  public void happened(Kind kind, String sentence) {
    switch (kind) {
      case FAILED -> LOG.error(sentence);
      case REPAIRED, FULL, UNCLEANABLE -> LOG.warn(sentence);
      case RECOVERED, DELETED, COMPACTED -> LOG.info(sentence);
    }
  }
}
