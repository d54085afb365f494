package io.tidelog.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class OfferedApisTest {
  private static final Pattern RANGE = Pattern.compile("\\w+\\((\\d+)\\): (\\d+)(?: to (\\d+))?");

  @Test
  void what_is_offered_without_a_range_is_advertised_as_kafka_4_4_0_does() throws Exception {
    Map<Short, List<Short>> kafkas = kafkasRanges();
    OfferedApis.Builder builder = OfferedApis.builder(new Frames.NoFacts());
    kafkas.keySet().stream()
        .filter(key -> key != ApiKeys.API_VERSIONS.id)
        .forEach(key -> builder.offer(ApiKeys.forId(key), Frames.UNUSED));
    Map<Short, List<Short>> ours = new TreeMap<>();
    for (ApiVersion each : builder.build().advertised()) {
      ours.put(each.apiKey(), List.of(each.minVersion(), each.maxVersion()));
    }
    assertThat(ours).isEqualTo(kafkas).hasSizeGreaterThan(70);
  }

  @Test
  void produce_is_advertised_from_v0_and_accepted_from_v3() {
    OfferedApis apis =
        OfferedApis.builder(new Frames.NoFacts()).offer(ApiKeys.PRODUCE, Frames.UNUSED).build();
    assertThat(apis.advertised().find(ApiKeys.PRODUCE.id).minVersion()).isZero();
    assertThat(apis.offers(ApiKeys.PRODUCE, (short) 2)).isFalse();
    assertThat(apis.offers(ApiKeys.PRODUCE, (short) 3)).isTrue();
  }

  @Test
  void only_what_has_a_handler_is_offered_and_api_versions() {
    OfferedApis apis =
        OfferedApis.builder(new Frames.NoFacts()).offer(ApiKeys.FETCH, 5, 7, Frames.UNUSED).build();
    assertThat(apis.advertised())
        .extracting(ApiVersion::apiKey)
        .containsExactlyInAnyOrder((short) 1, (short) 18);
    assertThat(apis.offers(ApiKeys.FETCH, (short) 4)).isFalse();
    assertThat(apis.offers(ApiKeys.FETCH, (short) 5)).isTrue();
    assertThat(apis.offers(ApiKeys.FETCH, (short) 7)).isTrue();
    assertThat(apis.offers(ApiKeys.FETCH, (short) 8)).isFalse();
    assertThat(apis.offers(ApiKeys.METADATA, (short) 1)).isFalse();
  }

  @Test
  void a_range_that_the_messages_do_not_know_and_a_second_handler_are_mistakes() {
    OfferedApis.Builder builder =
        OfferedApis.builder(new Frames.NoFacts()).offer(ApiKeys.FETCH, Frames.UNUSED);
    assertThatThrownBy(() -> builder.offer(ApiKeys.FETCH, Frames.UNUSED))
        .hasMessageContaining("Fetch");
    assertThatThrownBy(() -> builder.offer(ApiKeys.METADATA, 0, 99, Frames.UNUSED))
        .hasMessageContaining("v99");
    assertThatThrownBy(() -> builder.offer(ApiKeys.METADATA, 3, 2, Frames.UNUSED))
        .hasMessageContaining("Metadata");
    assertThatThrownBy(() -> builder.offer(ApiKeys.PRODUCE, 0, 3, Frames.UNUSED))
        .hasMessageContaining("Produce");
  }

  private static Map<Short, List<Short>> kafkasRanges() throws IOException {
    Map<Short, List<Short>> ranges = new TreeMap<>();
    for (String line : lines()) {
      Matcher range = RANGE.matcher(line);
      if (range.matches()) {
        short lowest = Short.parseShort(range.group(2));
        short highest = range.group(3) == null ? lowest : Short.parseShort(range.group(3));
        ranges.put(Short.parseShort(range.group(1)), List.of(lowest, highest));
      }
    }
    return ranges;
  }

  private static List<String> lines() throws IOException {
    try (InputStream list = OfferedApisTest.class.getResourceAsStream("kafka-4.4.0-apis.txt")) {
      return new ArrayList<>(
          new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }
}
