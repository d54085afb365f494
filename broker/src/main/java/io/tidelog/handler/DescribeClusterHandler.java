package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.NodeIdentity;
import java.net.InetSocketAddress;
import org.apache.kafka.clients.admin.EndpointType;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeClusterRequest;

/** Tells who is in the cluster: this broker. */
public final class DescribeClusterHandler implements RequestHandler {
  private final NodeIdentity node;
  private final AdvertisedAddress address;

  public DescribeClusterHandler(NodeIdentity node, AdvertisedAddress address) {
    this.node = node;
    this.address = address;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeClusterRequestData asked = request.body(DescribeClusterRequest.class).data();
    EndpointType wanted = EndpointType.fromId(asked.endpointType());
    answer.complete(
        switch (wanted) {
          case BROKER -> describe(asked, address.of(request.peer()));
          case CONTROLLER ->
              refused(
                  Errors.MISMATCHED_ENDPOINT_TYPE,
                  "This endpoint is of type BROKER, but the request is for one of type CONTROLLER.");
          case UNKNOWN ->
              refused(
                  Errors.UNSUPPORTED_ENDPOINT_TYPE,
                  "There are no endpoints of type " + asked.endpointType() + ".");
        });
  }

  private DescribeClusterResponseData describe(
      DescribeClusterRequestData asked, InetSocketAddress advertised) {
    DescribeClusterResponseData body =
        new DescribeClusterResponseData()
            .setClusterId(node.clusterId())
            .setControllerId(node.nodeId());
    body.brokers()
        .add(
            new DescribeClusterBroker()
                .setBrokerId(node.nodeId())
                .setHost(advertised.getHostString())
                .setPort(advertised.getPort()));
    return asked.includeClusterAuthorizedOperations()
        ? body.setClusterAuthorizedOperations(AllOperations.ON_CLUSTER)
        : body;
  }

  private static DescribeClusterResponseData refused(Errors error, String why) {
    return new DescribeClusterResponseData().setErrorCode(error.code()).setErrorMessage(why);
  }
}
