import TestSupport
import Testing
import TrackerCore

@testable import Simulation

/// The field's known rule for when to take a fix, against fixed intervals.
///
/// Sommer et al. (Information Bang for the Energy Buck, EWSN 2016) take a fix when the error that
/// is expected since the last one, its speed times the time, passes a threshold that the energy
/// budget sets. Here both take the same number of fixes, so the same energy, on walks of 27 h; what
/// counts is how far the place that a map shows is from the team's, on average over time.
@Suite struct KnownRuleTests {
  private let again: Comment = "repeat with: SHARE=all swift test --filter KnownRuleTests"

  private struct Place {
    var east: Double
    var north: Double

    func distance(to other: Place) -> Double {
      let (east, north) = (other.east - east, other.north - north)
      return (east * east + north * north).squareRoot()
    }
  }

  /// A team's place each second.
  private static func walk(seed: UInt64) -> [Place] {
    var options = SynthOptions()
    options.seed = seed
    var walker = Walker(course: .olotToTheSea, options: options)
    let start = walker.place
    // 42 degrees north.
    let metres = (east: 82_850.0, north: 111_200.0)
    return (0..<27 * 3600).map { _ in
      walker.advanceOneSecond()
      return Place(
        east: (walker.place.longitude - start.longitude) * metres.east,
        north: (walker.place.latitude - start.latitude) * metres.north)
    }
  }

  /// The seconds at which the rule takes a fix.
  ///
  /// - Parameters:
  ///   - metres: the threshold.
  ///   - floor: the least speed that is assumed, so that a team at rest is looked at again, m/s.
  private static func rule(_ walk: [Place], metres: Double, floor: Double) -> [Int] {
    var fixes = [0]
    var speed = floor
    for second in walk.indices.dropFirst() {
      let last = fixes[fixes.count - 1]
      guard max(speed, floor) * Double(second - last) >= metres else { continue }
      speed = walk[last].distance(to: walk[second]) / Double(second - last)
      fixes.append(second)
    }
    return fixes
  }

  /// The rule with as many fixes as wanted, or some more: the next higher threshold has fewer.
  private static func rule(_ walk: [Place], fixes: Int, floor: Double) -> [Int] {
    var (low, high) = (1.0, 20_000.0)
    for _ in 0..<30 {
      let middle = (low + high) / 2
      let isTooOften = rule(walk, metres: middle, floor: floor).count > fixes
      (low, high) = isTooOften ? (middle, high) : (low, middle)
    }
    return rule(walk, metres: low, floor: floor)
  }

  /// How far a map is off, metres, on average.
  ///
  /// - Parameter isExtrapolated: whether the map goes on from the last two fixes, for as long as
  ///   the time between them.
  private static func error(_ walk: [Place], _ fixes: [Int], isExtrapolated: Bool) -> Double {
    var sum = 0.0
    var next = 0
    for second in walk.indices {
      while next < fixes.count && fixes[next] <= second { next += 1 }
      let last = fixes[next - 1]
      var shown = walk[last]
      if isExtrapolated && next > 1 {
        let before = fixes[next - 2]
        let share = Double(min(second - last, last - before)) / Double(last - before)
        shown.east += (walk[last].east - walk[before].east) * share
        shown.north += (walk[last].north - walk[before].north) * share
      }
      sum += shown.distance(to: walk[second])
    }
    return sum / Double(walk.count)
  }

  // The reason why the tracker has fixed intervals that a budget stretches, and not the rule: a
  // team walks at one pace, so that speed times time is little else than time.
  @Test(arguments: Share.of([5, 10, 20]))
  func `At an equal number of fixes the rule is hardly better than an interval`(
    _ minutes: Int
  ) {
    for isExtrapolated in [false, true] {
      var (fixed, known) = (0.0, 0.0)
      for seed in 1...3 as ClosedRange<UInt64> {
        let walk = Self.walk(seed: seed)
        let fixes = Array(stride(from: 0, to: walk.count, by: minutes * 60))
        fixed += Self.error(walk, fixes, isExtrapolated: isExtrapolated)
        known +=
          [0.1, 0.3, 0.6].map { floor in
            let others = Self.rule(walk, fixes: fixes.count, floor: floor)
            #expect(others.count >= fixes.count, "\(floor); \(again)")
            return Self.error(walk, others, isExtrapolated: isExtrapolated)
          }.min() ?? 0
      }
      let text = "rule \(known / 3) m, interval \(fixed / 3) m, \(isExtrapolated)"
      #expect(known > fixed * 0.9, "\(text); \(again)")
      // It does something: it is not the interval.
      #expect(abs(known - fixed) > fixed / 1000, "\(text); \(again)")
    }
  }
}
