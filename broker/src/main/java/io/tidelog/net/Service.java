package io.tidelog.net;

import io.tidelog.protocol.OfferedApis;
import io.tidelog.protocol.RequestDecoder;

/** What all connections of a server share. */
record Service(
    OfferedApis apis, RequestDecoder decoder, BufferPool pool, NetLimits limits, NetEvents events) {

  static Service of(OfferedApis apis, NetLimits limits, NetEvents events) {
    return new Service(
        apis,
        new RequestDecoder(apis),
        new BufferPool(limits.receiveMemoryBytes()),
        limits,
        events);
  }
}
