package io.tidelog.protocol;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.BaseRecords;

/**
 * Writes an answer as a frame: length, response header, body, at the request's version. ApiVersions
 * answers always carry header version 0, so that any client can read them.
 */
public final class AnswerEncoder {
  private AnswerEncoder() {}

  /**
   * Writes the frame into the sink. If the body cannot be written at this version, an exception
   * says so; by then the sink may hold a part of the frame.
   */
  public static void encode(Request request, ApiMessage body, AnswerSink sink) {
    short version = request.version();
    short headerVersion = request.apiKey().responseHeaderVersion(version);
    ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(request.correlationId());
    ObjectSerializationCache cache = new ObjectSerializationCache();
    MessageSizeAccumulator size = new MessageSizeAccumulator();
    header.addSize(size, cache, headerVersion);
    body.addSize(size, cache, version);

    int ownBytes = Integer.BYTES + size.sizeExcludingZeroCopy();
    ByteBuffer target = sink.reserve(ownBytes);
    int end = target.position() + ownBytes;
    target.putInt(size.totalSize());
    FrameWriter writer = new FrameWriter(target, sink);
    header.write(writer, cache, headerVersion);
    body.write(writer, cache, version);
    int excess = target.position() - writer.copiedBytes - end;
    if (excess != 0) {
      throw new IllegalStateException(
          "The answer to " + request + " has " + excess + " bytes more than announced");
    }
  }

  /** Releases the slices in an answer that will not be sent. */
  public static void discard(ApiMessage body) {
    if (body instanceof FetchResponseData fetch) {
      fetch
          .responses()
          .forEach(topic -> topic.partitions().forEach(partition -> release(partition.records())));
    }
  }

  private static void release(BaseRecords records) {
    if (records instanceof SliceRecords slice) {
      slice.release();
    }
  }

  /** Puts fields into the buffer and hands bytes that exist already on to the sink. */
  private static final class FrameWriter extends ByteBufferAccessor {
    private final AnswerSink sink;
    private int copiedBytes;

    FrameWriter(ByteBuffer target, AnswerSink sink) {
      super(target);
      this.sink = sink;
    }

    @Override
    public void writeByteBuffer(ByteBuffer bytes) {
      sink.append(bytes.duplicate());
    }

    @Override
    public void writeRecords(BaseRecords records) {
      if (records instanceof SliceRecords slice) {
        copiedBytes += sink.append(slice);
      } else {
        super.writeRecords(records);
      }
    }
  }
}
