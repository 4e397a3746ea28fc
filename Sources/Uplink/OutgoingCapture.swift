public import TrackerCore

/// A capture to be sent to a server.
public struct OutgoingCapture: Sendable, Equatable {
  /// Identifies it in its queue; results refer to it.
  public var key: CaptureKey
  public var capture: Capture
  /// The device that took it.
  public var device: UniqueID
  /// Its identifier, the same at every attempt.
  public var id: UniqueID
  /// Whether it was sent before without a clear answer: the server is asked before it is sent
  /// again.
  public var wasSent: Bool
  /// The name of the place of `capture.mark`; `nil`: none.
  public var placeName: String?

  /// - Parameter id: `nil` for the one derived from device and sequence.
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
