import Testing

@testable import TrackerCore

/// Keeps what is pushed.
struct Sink: EffectSink {
  var effects: [Effect] = []
  var memories: [Memory] = []
  /// The course; empty: none.
  var points: [CoursePoint] = []
  var places: [CoursePlace] = []
  var courseCoverage = CourseCoverage()

  var coursePointCount: Int32 { Int32(points.count) }
  func coursePoint(_ index: Int32) -> CoursePoint { points[Int(index)] }
  var coursePlaceCount: Int32 { Int32(places.count) }
  func coursePlace(_ index: Int32) -> CoursePlace { places[Int(index)] }

  mutating func push(_ effect: Effect) { effects.append(effect) }
  mutating func remember(_ memory: Memory) { memories.append(memory) }

  /// What was pushed since the last call.
  mutating func take() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

/// What a failure adds: the one command that repeats it.
func again(_ suite: Any.Type, _ detail: String = "") -> Comment {
  let name = "\(suite)".split(separator: ".").last ?? ""
  return "\(detail) repeat with: swift test --filter TrackerCoreTests.\(name)"
}

extension Effect {
  /// PWRKEY, held as long as the bench's board says.
  static let pressOn = Effect.pulse(.modemPowerKey, 200)
  static let pressOff = Effect.pulse(.modemPowerKey, 1000)
  var isPress: Bool { self == .pressOn || self == .pressOff }
  static func says(_ command: ModemCommand) -> Effect { .sendToModem(command) }
  static func upload(_ id: UInt32, _ selection: Selection) -> Effect {
    .upload(UploadRequest(id: RequestID(id), selection: selection, nextContactBy: nil))
  }
  static func reconcile(_ id: UInt32) -> Effect { .reconcile(RequestID(id)) }
}

extension Instant {
  static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }
}

/// Numbers that are the same on every machine (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// True in so many of a hundred draws.
  mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }
}
