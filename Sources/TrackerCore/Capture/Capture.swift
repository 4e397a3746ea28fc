/// Why a capture was taken.
public enum Trigger: UInt8, Sendable, Equatable {
  /// The first of a session.
  case start
  /// The interval had passed.
  case interval
  /// The distance of the policy was covered.
  case distance
  /// At rest, but too long since the last one.
  case heartbeat
  /// A person asked for it.
  case command
  /// The battery may end soon.
  case batteryEnd
  /// A person wants to see whether it arrives.
  case test
  /// It has entered a place of the course.
  case entered
  /// It has left one.
  case left
  /// It has passed one unseen.
  case inferred
  /// The last of a session.
  case end
  /// The team needs help.
  case emergency
  /// An emergency is over: the team has withdrawn it, or a person has ended it.
  case emergencyOver

  /// Its name, the same in every format and in the store.
  public var name: StaticString {
    switch self {
    case .start: "start"
    case .interval: "interval"
    case .distance: "distance"
    case .heartbeat: "heartbeat"
    case .command: "command"
    case .batteryEnd: "batteryEnd"
    case .test: "test"
    case .entered: "entered"
    case .left: "left"
    case .inferred: "inferred"
    case .end: "end"
    case .emergency: "emergency"
    case .emergencyOver: "emergencyOver"
    }
  }

  /// - Returns: `nil` if no trigger has this name.
  public init?(name: Span<UInt8>) {
    var number: UInt8 = 0
    while let trigger = Trigger(rawValue: number) {
      if Self.isSame(trigger.name, name) {
        self = trigger
        return
      }
      number += 1
    }
    return nil
  }

  private static func isSame(_ own: StaticString, _ text: Span<UInt8>) -> Bool {
    guard own.utf8CodeUnitCount == text.count else { return false }
    for index in text.indices where own.utf8Start[index] != text[index] { return false }
    return true
  }
}

/// Where on the course a capture was taken.
public struct CourseMark: Sendable, Equatable {
  /// Along the course, metres.
  public var doneMetres: Int32
  public var toGoMetres: Int32
  /// The place that it was taken for, or in whose circle it is, by its index; `nil`: none.
  public var place: Int16?

  public init(doneMetres: Int32, toGoMetres: Int32, place: Int16? = nil) {
    self.doneMetres = doneMetres
    self.toGoMetres = toGoMetres
    self.place = place
  }
}

/// Where one team was at one time, as it is stored and sent.
public struct Capture: Sendable, Equatable {
  public var sequence: UInt32
  /// GNSS time of the fix, without a position that of the capture; `nil` when no date was ever
  /// known.
  public var utc: UTC?
  /// Whether `utc` passed the checks of `Clock`.
  public var isTimeTrusted: Bool
  /// `nil`: none was known, which only an emergency is captured without.
  public var position: Coordinate?
  /// Above mean sea level, millimetres.
  public var altitudeMillimetres: Int32?
  public var speedMillimetresPerSecond: Int32?
  /// True course over ground, thousandths of a degree.
  public var courseMillidegrees: Int32?
  /// Estimated horizontal accuracy in metres; `nil` when the receiver gives no HDOP.
  public var accuracyMetres: Int32?
  public var satellites: UInt8?
  /// 0...100; `nil` before the first measurement.
  public var batteryPercent: UInt8?
  public var batteryMillivolts: Int32?
  public var team: InlineText<64>
  public var trigger: Trigger
  /// `nil`: there is no course, or the team was never near it.
  public var mark: CourseMark?

  public init(
    sequence: UInt32, utc: UTC?, isTimeTrusted: Bool, position: Coordinate?, team: InlineText<64>,
    trigger: Trigger
  ) {
    self.sequence = sequence
    self.utc = utc
    self.isTimeTrusted = isTimeTrusted
    self.position = position
    self.team = team
    self.trigger = trigger
  }
}

/// Identifies one capture within its store.
///
/// A store may hold captures of several devices (a card that moved to another board), so a sequence
/// number does not identify one. Keys are assigned in the order of storing, from 1 on, and never
/// reused.
public struct CaptureKey: Sendable, Hashable, Comparable {
  public var number: UInt32
  public init(_ number: UInt32) { self.number = number }

  /// No capture has this one.
  public static let none = CaptureKey(0)

  public static func < (left: CaptureKey, right: CaptureKey) -> Bool { left.number < right.number }
}

extension CaptureKey: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt32) { self.init(value) }
}
