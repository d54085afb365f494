package io.tidelog.coordinator;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;

/** Which transactions a ListTransactions request is for. */
final class TransactionListing {
  private final Set<Long> producerIds;
  private final Set<TransactionState> states = new HashSet<>();
  private final List<String> unknownStates;
  private final boolean hasStates;
  private final long longerThanMs;
  private final Optional<Pattern> transactionalIds;
  private final long nowMs;

  /**
   * @throws InvalidRegularExpression if the pattern is none
   */
  TransactionListing(ListTransactionsRequestData asked, long nowMs) {
    this.producerIds = new HashSet<>(asked.producerIdFilters());
    this.hasStates = !asked.stateFilters().isEmpty();
    this.unknownStates =
        asked.stateFilters().stream()
            .distinct()
            .filter(name -> TransactionState.fromName(name).isEmpty())
            .toList();
    asked.stateFilters().forEach(name -> TransactionState.fromName(name).ifPresent(states::add));
    this.longerThanMs = asked.durationFilter();
    this.transactionalIds = pattern(asked.transactionalIdPattern());
    this.nowMs = nowMs;
  }

  /** RE2's expressions, as Kafka takes them: none takes longer than its text is long. */
  private static Optional<Pattern> pattern(String regex) {
    if (regex == null || regex.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Pattern.compile(regex));
    } catch (PatternSyntaxException e) {
      throw new InvalidRegularExpression(
          "the pattern \"%s\" is no regular expression: %s".formatted(regex, e.getMessage()));
    }
  }

  /** The names of states that there are none of. */
  List<String> unknownStates() {
    return unknownStates;
  }

  boolean includes(TransactionMetadata state) {
    return (producerIds.isEmpty() || producerIds.contains(state.producerId()))
        && (!hasStates || states.contains(state.state()))
        && (longerThanMs < 0 || nowMs - state.txnStartTimestamp() > longerThanMs)
        && transactionalIds
            .map(pattern -> pattern.matcher(state.transactionalId()).matches())
            .orElse(true);
  }

  static ListTransactionsResponseData.TransactionState row(TransactionMetadata state) {
    return new ListTransactionsResponseData.TransactionState()
        .setTransactionalId(state.transactionalId())
        .setProducerId(state.producerId())
        .setTransactionState(state.state().stateName());
  }
}
