package io.tidelog.handler;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** At which level Tidelog, the parts of Kafka in it, and all the rest log. */
final class LoggerLevels {
  private static final List<String> LOGGERS = List.of("io.tidelog", "org.apache.kafka", "root");

  private LoggerLevels() {}

  /** The levels in force, by logger, sorted. */
  static Map<String, String> now() {
    Map<String, String> levels = new TreeMap<>();
    LOGGERS.forEach(name -> levels.put(name, level(LoggerFactory.getLogger(name))));
    return levels;
  }

  private static String level(Logger logger) {
    if (logger.isTraceEnabled()) {
      return "TRACE";
    }
    if (logger.isDebugEnabled()) {
      return "DEBUG";
    }
    if (logger.isInfoEnabled()) {
      return "INFO";
    }
    if (logger.isWarnEnabled()) {
      return "WARN";
    }
    return logger.isErrorEnabled() ? "ERROR" : "OFF";
  }
}
