public import CaptureStore
public import TrackerCore
public import Uplink

/// A made-up walk.
public enum Walk {
  public static let start = UTC(milliseconds: 1_349_517_600_000)

  public static func capture(_ sequence: UInt32) -> Capture {
    var capture = Capture(
      sequence: sequence, utc: start + Milliseconds(Int64(sequence) * 10_000),
      isTimeTrusted: true,
      position: Coordinate(
        latitude: 418_000_000 + Int32(sequence % 5000), longitude: 21_000_000),
      team: InlineText("Els Senglars"), trigger: .interval)
    capture.batteryPercent = UInt8(100 - sequence % 60)
    return capture
  }

  public static func append(_ store: CaptureStore) throws {
    try store.append(capture(store.nextSequence), at: start)
  }

  public static func fill(_ store: CaptureStore, _ count: UInt32) throws {
    for sequence in 1...count { try store.append(capture(sequence), at: start) }
  }
}

extension OutgoingCapture {
  /// Of a queue in which the keys are the numbers.
  public init(_ capture: Capture, device: UniqueID, wasSent: Bool = false) {
    self.init(
      capture, key: CaptureKey(capture.sequence), device: device, wasSent: wasSent)
  }
}

extension ScratchFolder {
  /// A store with captures that wait, closed again.
  public func store(_ count: UInt32) throws -> String {
    try Walk.fill(CaptureStore.open(.file(path("race.store")), at: Walk.start), count)
    return path("race.store")
  }
}
