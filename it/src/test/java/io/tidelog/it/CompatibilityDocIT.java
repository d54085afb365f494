package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/compatibility.md is what a broker that runs says of itself, beside what Kafka's
 * own code makes a broker say.
 */
class CompatibilityDocIT {
  private static final String HEAD =
      "| key | API | Kafka 4.4.0 | Tidelog |\n| --- | --- | --- | --- |\n";
  private static final String NOT_OFFERED = "–";

  @TempDir Path directory;

  @Test
  void the_table_of_apis_is_what_the_running_broker_offers_beside_kafka() throws Exception {
    String table = table(kafkas(), tidelogs());
    Path document = Path.of("..", "docs", "compatibility.md").toAbsolutePath().normalize();
    String text = Files.readString(document);
    int start = text.indexOf(HEAD);
    int end = text.indexOf("\n\n", start);
    assertThat(start).as("where the table begins").isPositive();
    Path wanted = Path.of("target", "compatibility.md").toAbsolutePath();
    Files.writeString(wanted, text.substring(0, start) + table + text.substring(end + 1));
    assertThat(Files.readString(wanted))
        .as("To bring the document up to date: cp %s %s", wanted, document)
        .isEqualTo(text);
  }

  /** What a broker of Kafka without a receiver of telemetry advertises. */
  private static ApiVersionCollection kafkas() {
    return ApiVersionsResponse.brokerApiVersions(ListenerType.BROKER, false, false);
  }

  private ApiVersionCollection tidelogs() throws Exception {
    try (Broker broker = Broker.start(BrokerSettings.embedded(directory));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
      ApiVersionsRequest request = new ApiVersionsRequest.Builder().build();
      RequestHeader header =
          new RequestHeader(ApiKeys.API_VERSIONS, request.version(), "compatibility", 1);
      send(socket, request.serializeWithHeader(header));
      ApiVersionsResponse answer =
          (ApiVersionsResponse) AbstractResponse.parseResponse(receive(socket), header);
      return answer.data().apiKeys();
    }
  }

  private static void send(Socket socket, ByteBuffer frame) throws IOException {
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
  }

  private static ByteBuffer receive(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    return ByteBuffer.wrap(in.readNBytes(in.readInt()));
  }

  private static String table(ApiVersionCollection kafka, ApiVersionCollection tidelog) {
    Set<Short> keys = new TreeSet<>();
    kafka.forEach(api -> keys.add(api.apiKey()));
    tidelog.forEach(api -> keys.add(api.apiKey()));
    StringBuilder table = new StringBuilder(HEAD);
    for (short key : keys) {
      table.append(
          "| %d | %s | %s | %s |%n"
              .formatted(
                  key,
                  ApiKeys.forId(key).name,
                  versions(kafka.find(key)),
                  versions(tidelog.find(key))));
    }
    return table.toString();
  }

  private static String versions(ApiVersion api) {
    if (api == null) {
      return NOT_OFFERED;
    }
    return api.minVersion() == api.maxVersion()
        ? Short.toString(api.maxVersion())
        : api.minVersion() + "–" + api.maxVersion();
  }
}
