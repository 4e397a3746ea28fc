public import Uplink

/// Identifies one request from its start to its completion; never reused.
public struct TransferID: Sendable, Hashable {
  var number: UInt64
}

/// A request has ended.
public struct HTTPCompletion: Sendable, Equatable {
  public var id: TransferID
  /// `unreachable` only if certainly nothing of the request was sent to the server.
  public var reply: HTTPReply
  /// Why there is no answer; `nil` when there is one.
  public var failure: HTTPFailure?
  public var traffic: HTTPTraffic
}

/// The traffic of a request, without the overhead of TCP and TLS.
public struct HTTPTraffic: Sendable, Equatable {
  /// Request line, headers and body, bytes.
  public var sentBytes: Int64 = 0
  /// Status line, headers and body before decompression, bytes.
  public var receivedBytes: Int64 = 0
  /// Connections opened for it: 0 when one was reused.
  public var newConnections = 0
}
