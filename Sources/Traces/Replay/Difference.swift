import TrackerCore

/// The first difference between a replay and its recording.
public struct Difference: Sendable, Equatable {
  /// The recorded effect; `nil` if there is none at this point.
  public var recorded: String?
  /// The replayed tracker's effect; `nil` if there is none at this point.
  public var got: String?
  public var at: Instant
  public var part: UInt32
  public var line: Int
  /// The tracker's last input.
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
  /// A short description.
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
