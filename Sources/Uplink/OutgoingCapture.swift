public import TrackerCore

/// A capture on its way to a server.
public struct OutgoingCapture: Sendable, Equatable {
  public var capture: Capture
  /// The device that took it.
  public var device: UniqueID
  /// Its own identifier, the same at every attempt.
  public var id: UniqueID
  /// It was sent before and no clear answer came: the server is asked before it is sent again.
  public var wasSent: Bool

  public init(_ capture: Capture, device: UniqueID, wasSent: Bool = false) {
    self.capture = capture
    self.device = device
    self.wasSent = wasSent
    id = UniqueID(device: device, sequence: capture.sequence)
  }

  var sequence: UInt32 { capture.sequence }
}
