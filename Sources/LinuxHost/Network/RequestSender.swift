public import Uplink

/// A client that sends one request after the other and waits for each, for a `Delivery` in a tool
/// that does nothing else.
public final class RequestSender {
  private var client: HTTPClient
  /// The traffic of all requests together.
  public private(set) var traffic = HTTPTraffic()

  /// - Throws: if the configuration cannot be used.
  public init(_ configuration: HTTPClientConfiguration) throws(HTTPFailure) {
    client = try HTTPClient(configuration)
  }

  public func perform(_ request: HTTPRequest) -> (reply: HTTPReply, failure: HTTPFailure?) {
    let completion = client.perform(request)
    traffic.sentBytes += completion.traffic.sentBytes
    traffic.receivedBytes += completion.traffic.receivedBytes
    traffic.newConnections += completion.traffic.newConnections
    return (completion.reply, completion.failure)
  }
}
