import NMEA
import TrackerCore

/// Converts the times in a trace into instants of the virtual clock, which never steps.
///
/// | from one burst to the next                 | the clock advances by                 |
/// |--------------------------------------------|---------------------------------------|
/// | forward by at most 24 h                    | that much                             |
/// | backward, or further forward: a clock step | 1 s                                   |
/// | without a time | 1 s |
/// | the first date: by at most 1 min forward   | that much; else it is a clock step    |
/// | no date on either side                     | the difference of the times of day,   |
/// | | past midnight if that fell by > 12 h |
struct TraceClock {
  private(set) var now = Instant.start
  private var hasBegun = false
  /// Milliseconds of the last burst: since 1970 if `day` is known, else since midnight.
  private var timeOfDay: Int64?
  private var day: Int64?
  private var tag: Int64?

  private static let dayLength: Int64 = 86_400_000
  private static let second = Milliseconds(1000)

  /// Advances to a burst with the time of its TAG block.
  mutating func advance(toTag milliseconds: Int64) {
    defer { tag = milliseconds }
    guard hasBegun else {
      hasBegun = true
      return
    }
    now = now + step(tag.map { milliseconds.subtractingReportingOverflow($0).partialValue })
  }

  /// Advances to a burst with the time of day and date from its sentences.
  mutating func advance(toTimeOfDay time: Int32?, day own: Int32?) {
    let wasBegun = hasBegun
    hasBegun = true
    guard let time else {
      if wasBegun {
        now = now + Self.second
        // So that a time that comes back later is not counted twice.
        if let timeOfDay { (timeOfDay: self.timeOfDay, day: day) = carry(timeOfDay + 1000) }
      }
      return
    }
    let next = Int64(time)
    var nextDay = own.map(Int64.init)
    if nextDay == nil, let day {
      let apart = next - (timeOfDay ?? next)
      nextDay = apart < -Self.dayLength / 2 ? day + 1 : apart > Self.dayLength / 2 ? day - 1 : day
    }
    // A receiver gets its first date and its time together: before, it may have shown any time.
    let isFirstDate = day == nil && own != nil && timeOfDay != nil
    var distance: Int64?
    if let timeOfDay {
      var apart = next - timeOfDay
      if let day, let nextDay {
        apart += (nextDay - day) * Self.dayLength
      } else if apart < -Self.dayLength / 2 {
        apart += Self.dayLength
      }
      distance = apart
    }
    if isFirstDate, let apart = distance, apart > 60_000 { distance = nil }
    if wasBegun { now = now + step(distance) }
    timeOfDay = next
    if let nextDay { day = nextDay }
  }

  private func carry(_ time: Int64) -> (timeOfDay: Int64?, day: Int64?) {
    time < Self.dayLength ? (time, day) : (time - Self.dayLength, day.map { $0 + 1 })
  }

  private func step(_ distance: Int64?) -> Milliseconds {
    guard let distance, distance >= 0, distance <= Self.dayLength else { return Self.second }
    return Milliseconds(distance)
  }
}
