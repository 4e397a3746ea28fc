public import TrackerCore

/// A capture on its way to a server.
public struct OutgoingCapture: Sendable, Equatable {
  /// Names it in the queue that it came from; results use it.
  public var key: CaptureKey
  public var capture: Capture
  /// The device that took it.
  public var device: UniqueID
  /// Its own identifier, the same at every attempt.
  public var id: UniqueID
  /// It was sent before and no clear answer came: the server is asked before it is sent again.
  public var wasSent: Bool

  /// - Parameter id: `nil` for the one made from device and sequence.
  public init(
    _ capture: Capture, key: CaptureKey, device: UniqueID, id: UniqueID? = nil,
    wasSent: Bool = false
  ) {
    self.key = key
    self.capture = capture
    self.device = device
    self.wasSent = wasSent
    self.id = id ?? UniqueID(device: device, sequence: capture.sequence)
  }
}
