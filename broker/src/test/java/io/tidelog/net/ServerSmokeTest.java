package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.Test;

class ServerSmokeTest {

  @Test
  void a_request_is_answered_and_the_connection_stays() throws Exception {
    try (TestServer server =
            TestServer.start(
                Map.of(
                    ApiKeys.METADATA,
                    (request, answer) ->
                        answer.complete(TestServer.echo(request.body(MetadataRequest.class)))));
        RawClient client = server.connect()) {
      ApiVersionsResponse versions =
          client.call(new ApiVersionsRequest.Builder().build((short) 4), ApiVersionsResponse.class);
      assertThat(versions.data().apiKeys())
          .extracting("apiKey")
          .containsExactlyInAnyOrder((short) 3, (short) 18);
      assertThat(client.call(TestServer.ask("a"), MetadataResponse.class).data().clusterId())
          .isEqualTo("a");
      assertThat(client.call(TestServer.ask("b"), MetadataResponse.class).data().clusterId())
          .isEqualTo("b");
    }
  }
}
