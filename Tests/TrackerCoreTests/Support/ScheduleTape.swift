import Testing

@testable import TrackerCore

/// A transcript of a capture schedule: a walker's fixes, and when one of them is taken.
struct ScheduleTape {
  struct Taken: Equatable {
    var at: Int64
    var trigger: Trigger
  }

  var schedule: CaptureSchedule
  var odometer = Odometer()
  var budget: EnergyBudget?
  private(set) var taken: [Taken] = []
  /// The fix of the last capture.
  private(set) var fix: Fix?
  private(set) var reason: Reason?

  init(_ policy: CapturePolicy, at now: Int64 = 0) {
    schedule = CaptureSchedule(policy, at: .at(now))
  }

  mutating func hear(_ fix: Fix) {
    odometer.move(to: fix.position, accuracyMetres: fix.accuracyMetres)
    schedule.offer(fix)
  }

  /// Looks whether a capture is due; it is on disk so many milliseconds later.
  mutating func look(at now: Int64, isClockTrusted: Bool = true, diskDelay: Int64 = 0) {
    let verdict = schedule.judge(
      missingFixReason: .noFix, isClockTrusted: isClockTrusted, odometer: odometer.millimetres,
      at: .at(now))
    switch verdict {
    case .take(let fix, let trigger): take(fix, trigger, at: now + diskDelay)
    case .wait(let reason):
      self.reason = reason
      if reason == .atRest && schedule.goesByTime {
        schedule.advanceSlot(budget: budget, at: .at(now))
      }
    }
  }

  mutating func take(_ fix: Fix, _ trigger: Trigger, at now: Int64) {
    taken.append(Taken(at: now, trigger: trigger))
    self.fix = fix
    reason = nil
    schedule.taken(fix, odometer: odometer.millimetres, budget: budget, at: .at(now))
  }

  /// A walk straight north with a fix every second, looked at with each.
  mutating func walk(
    from start: Int64 = 0, seconds: Int64, metresPerSecond: Int64, from place: Coordinate = .olot
  ) {
    for second in 0...seconds {
      let now = start + second * 1000
      hear(.at(now, place.north(second * metresPerSecond)))
      look(at: now)
    }
  }

  var times: [Int64] { taken.map { $0.at / 1000 } }
}
