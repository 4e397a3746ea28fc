import TrackerCore

/// The first effect at which a replay and its recording differ.
public struct Difference: Sendable, Equatable {
  /// What the recording has; `nil` when it has no effect there.
  public var recorded: String?
  /// What the tracker wanted now; `nil` when it wanted nothing.
  public var got: String?
  public var at: Instant
  public var part: UInt32
  public var line: Int
  /// What had come to the tracker.
  public var cause: String

  init(recorded: [UInt8]?, got: [UInt8]?, at place: Recorded, after last: Recorded?) {
    self.recorded = recorded.map { String(decoding: $0, as: UTF8.self) }
    self.got = got.map { String(decoding: $0, as: UTF8.self) }
    at = place.at
    part = place.part
    line = place.line
    cause = last?.summary ?? "the start"
  }
}

extension Recorded {
  /// A few words.
  var summary: String {
    switch content {
    case .bytes(let bytes, let role): return "\(bytes.count) bytes from the \(role)"
    case .event(let event):
      var fields = FieldWriter()
      fields.add(event)
      return "'\(String(decoding: fields.bytes, as: UTF8.self))'"
    case .effect, .gap, .end: return "the start"
    }
  }
}
