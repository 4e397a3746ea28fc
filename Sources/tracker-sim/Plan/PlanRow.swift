import Simulation
import TrackerCore

/// The figures of all races for one interval.
struct PlanRow: Sendable {
  var interval: Milliseconds
  /// Ascending. A race that was still going at `bound` has that.
  var lifetimes: [Milliseconds]
  /// Where races are broken off.
  var bound: Milliseconds
  /// Captures delivered by the finish, ascending.
  var captures: [Int]
  /// The number of races that reached the finish.
  var alive: Int
  /// The mean of the races, until the finish.
  var joules = World.Standing()

  var runs: Int { lifetimes.count }
  var finishes: Double { Double(alive) / Double(max(1, runs)) }

  init(_ interval: Milliseconds, _ races: [PlannedRace], finish: Instant, bound: Milliseconds) {
    self.interval = interval
    self.bound = bound
    lifetimes = races.map { $0.isDead ? min($0.lifetime, bound) : bound }
      .sorted { $0.count < $1.count }
    captures = races.map(\.atFinish.delivered).sorted()
    alive = races.count { $0.isAlive(at: finish) }
    func mean(_ part: KeyPath<World.Standing, Double>) -> Double {
      races.reduce(0) { $0 + $1.atFinish[keyPath: part] } / Double(max(1, races.count))
    }
    joules.boardJoules = mean(\.boardJoules)
    joules.receiverJoules = mean(\.receiverJoules)
    joules.modemJoules = mean(\.modemJoules)
    joules.conversionJoules = mean(\.conversionJoules)
  }

  func holds(_ sharePercent: Int64) -> Bool { Int64(alive) * 100 >= sharePercent * Int64(runs) }

  /// By nearest rank.
  func lifetime(_ percent: Int) -> Milliseconds { Self.rank(lifetimes, percent) ?? 0 }
  func captures(_ percent: Int) -> Int { Self.rank(captures, percent) ?? 0 }

  private static func rank<Value>(_ sorted: [Value], _ percent: Int) -> Value? {
    sorted.isEmpty ? nil : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
  }
}
