import TrackerCore

/// Has the battery measured once a minute, by a converter behind a divider.
struct BatteryMeter {
  private enum State {
    /// Nothing has been measured yet, or not any more.
    case unknown
    case measured
    /// The last measurement failed; another one decides.
    case doubtful
  }

  private static let interval = Milliseconds.minutes(1)
  private static let repetition = Milliseconds.seconds(5)
  /// Of which the median counts, and how many have to be plausible.
  private static let readings = 5
  private static let readingsNeeded = 3

  private var state = State.unknown
  /// Of the last measurement; `nil`: the battery is not known.
  private(set) var millivolts: Int32?
  /// When to measure; `nil`: never.
  private(set) var dueAt: Instant?

  /// - Parameter isWired: whether there is a divider.
  init(isWired: Bool) { if isWired { dueAt = .start } }

  /// Measures if it is time to.
  @inline(never) mutating func measure(
    _ settings: UnsafePointer<FirmwareSettings>, by machine: inout some Machine & ~Copyable,
    at now: Instant
  ) -> Event? {
    guard let dueAt, now >= dueAt else { return nil }
    self.dueAt = now + Self.interval
    if let median = Self.median(settings, &machine) {
      state = .measured
      millivolts = median
      return .batteryMeasured(BatteryReading(millivolts: median))
    }
    switch state {
    case .unknown: return nil
    case .measured:
      state = .doubtful
      self.dueAt = now + Self.repetition
      return nil
    case .doubtful:
      state = .unknown
      millivolts = nil
      return .batteryLost
    }
  }

  /// - Returns: `nil`: too few readings are what such a battery can have.
  private static func median(
    _ settings: UnsafePointer<FirmwareSettings>, _ machine: inout some Machine & ~Copyable
  ) -> Int32? {
    var sorted = InlineArray<5, Int32>(repeating: 0)
    var count = 0
    for _ in 0..<readings {
      guard let part = machine.readBattery() else { continue }
      let millivolts = Int32(
        truncatingIfNeeded: (Int64(part) * Int64(settings.pointee.batteryRange)) >> 16)
      let isPlausible = settings.pointee.core.board.battery.isPlausible(millivolts: millivolts)
      guard isPlausible else { continue }
      var place = count
      while place > 0, sorted[place - 1] > millivolts {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = millivolts
      count += 1
    }
    return count < readingsNeeded ? nil : sorted[count / 2]
  }
}
