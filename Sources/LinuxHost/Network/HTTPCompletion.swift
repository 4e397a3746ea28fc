public import Uplink

/// Names one request from its start to its completion; never used again.
public struct TransferID: Sendable, Hashable {
  var number: UInt64
}

/// A request has ended.
public struct HTTPCompletion: Sendable, Equatable {
  public var id: TransferID
  /// `unreachable` only if certainly nothing of the request left this machine for the server.
  public var reply: HTTPReply
  /// Why there is no answer; `nil` when there is one.
  public var failure: HTTPFailure?
  public var traffic: HTTPTraffic
}

/// What a request cost on the wire, without the overhead of TCP and TLS.
public struct HTTPTraffic: Sendable, Equatable {
  /// Request line, headers and body, bytes.
  public var sentBytes: Int64 = 0
  /// Status line, headers and body as they came, before decompression, bytes.
  public var receivedBytes: Int64 = 0
  /// Connections made for it: 0 when one was there already.
  public var newConnections = 0
}
