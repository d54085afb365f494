package io.tidelog.handler;

import org.apache.kafka.common.message.FetchResponseData;

/** What a fetch has to do with sessions: which partitions it reads, and what its answer says. */
sealed interface FetchContext {

  FetchedPartitions partitions();

  /** Which partitions the answer tells of. */
  Scope scope();

  /** The answer. */
  FetchResponseData end(FetchPass pass);

  /** Which partitions an answer tells of. */
  enum Scope {
    ALL,
    /** Those with records, an error or other offsets than the client knows of. */
    CHANGED
  }

  /** A fetch for itself. */
  record Alone(FetchedPartitions partitions) implements FetchContext {
    @Override
    public Scope scope() {
      return Scope.ALL;
    }

    @Override
    public FetchResponseData end(FetchPass pass) {
      partitions.release();
      return pass.answer().setSessionId(FetchSessions.NONE);
    }
  }

  /** A fetch whose answer gives the client a session, if there is a place for one. */
  record First(FetchSessions sessions, FetchSession.Naming naming, FetchedPartitions partitions)
      implements FetchContext {
    @Override
    public Scope scope() {
      return Scope.ALL;
    }

    @Override
    public FetchResponseData end(FetchPass pass) {
      FetchResponseData answer = pass.answer();
      int id = sessions.open(naming, partitions);
      if (id == FetchSessions.NONE) {
        partitions.release();
      }
      return answer.setSessionId(id);
    }
  }

  /**
   * A fetch in a session.
   *
   * @param epoch the epoch that the request carried
   */
  record Next(FetchSession session, int epoch) implements FetchContext {
    @Override
    public FetchedPartitions partitions() {
      return session.partitions();
    }

    @Override
    public Scope scope() {
      return Scope.CHANGED;
    }

    @Override
    public FetchResponseData end(FetchPass pass) {
      return session.end(epoch, pass);
    }
  }
}
