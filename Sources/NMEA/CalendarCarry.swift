/// Supplies the date for epochs that come without one.
struct CalendarCarry: Sendable, Equatable {
  private var day: Int32?
  private var timeOfDay: Int32?

  /// Records a date that came with a time of day.
  mutating func note(day: Int32, at timeOfDay: Int32) {
    self.day = day
    self.timeOfDay = timeOfDay
  }

  /// Gives the epoch a date if it has none: the last known one, or the day before or after it,
  /// whichever puts the two instants within twelve hours of each other.
  mutating func complete(_ epoch: inout Epoch) {
    guard let time = epoch.timeOfDayMilliseconds else {
      if let own = epoch.dayNumber { (day, timeOfDay) = (own, nil) }
      return
    }
    if epoch.dayNumber == nil, let day {
      let apart = timeOfDay.map { time &- $0 } ?? 0
      let step: Int32 = apart < -43_200_000 ? 1 : apart > 43_200_000 ? -1 : 0
      epoch.dayNumber = day &+ step
      epoch.isDateCarried = true
    }
    if let own = epoch.dayNumber { note(day: own, at: time) }
  }
}
