package io.tidelog.protocol;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Turns a frame (without its length field) into a request:
 *
 * <pre>
 *  at  size  field           meaning
 *   0     2  api key         which API; must be offered
 *   2     2  api version     must be offered, but for ApiVersions, whose answer tells the client what to use
 *   4     4  correlation id  comes back in the answer
 *   8     .  client id       length (2 bytes, -1 for null) and UTF-8; tagged fields follow in header version 2
 *   .     .  body            as the API and version say; bytes after it are ignored, as Kafka does
 * </pre>
 */
public final class RequestDecoder {
  private static final int SMALLEST_HEADER_BYTES = 8;

  private final OfferedApis offered;

  public RequestDecoder(OfferedApis offered) {
    this.offered = offered;
  }

  /**
   * Decodes one frame. On success the request holds {@code buffer}, unless nothing in it refers to
   * the frame's bytes; then the claim is given up at once. On failure it stays the caller's.
   */
  public Request decode(ByteBuffer frame, Peer peer, EventLoop loop, FrameBuffer buffer)
      throws BadRequestException {
    ApiKeys api = offeredApi(frame);
    RequestHeader header = header(frame);
    AbstractRequest body = body(header, frame);
    if (api.requiresDelayedAllocation) {
      return new Request(header, body, peer, loop, buffer);
    }
    buffer.release();
    return new Request(header, body, peer, loop, null);
  }

  private ApiKeys offeredApi(ByteBuffer frame) throws BadRequestException {
    if (frame.remaining() < SMALLEST_HEADER_BYTES) {
      throw new BadRequestException(
          "a frame of " + frame.remaining() + " bytes, too short for a request header");
    }
    short key = frame.getShort(frame.position());
    short version = frame.getShort(frame.position() + Short.BYTES);
    if (!ApiKeys.hasId(key)) {
      throw new BadRequestException("unknown API key " + key + " (version " + version + ")");
    }
    ApiKeys api = ApiKeys.forId(key);
    if (api != ApiKeys.API_VERSIONS && !offered.offers(api, version)) {
      throw new BadRequestException(
          "a request for " + api.name + " v" + version + ", " + offered.describe(api));
    }
    return api;
  }

  private static RequestHeader header(ByteBuffer frame) throws BadRequestException {
    try {
      return RequestHeader.parse(frame);
    } catch (InvalidRequestException e) {
      throw new BadRequestException("a request header that cannot be read: " + innermost(e));
    }
  }

  private AbstractRequest body(RequestHeader header, ByteBuffer frame) throws BadRequestException {
    ApiKeys api = header.apiKey();
    short version = header.apiVersion();
    if (!offered.offers(api, version)) {
      return new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0, version);
    }
    try {
      return AbstractRequest.parseRequest(api, version, new ByteBufferAccessor(frame)).request;
    } catch (RuntimeException e) {
      throw new BadRequestException(
          "a " + api.name + " v" + version + " request that cannot be read: " + innermost(e));
    }
  }

  private static String innermost(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? "it ends too early" : OneLine.of(message);
  }
}
