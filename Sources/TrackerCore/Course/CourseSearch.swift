/// Looks for the places on the course where a team may be at a position.
///
/// The evidence against one is counted in thousandths:
///
///     being far from the line      0.15 per square of the standard error, 3 at most
///     moving backwards             10 per km
///     getting further than it      20 per km beyond what can be walked or was moved, at most 25
///     can have walked              for a team that was found beside the course
///     staying behind               1 per km
///     not known where it was       0.2 per km from the start, or from where it was last
struct CourseSearch {
  private let step: CourseStep
  private let old: CourseHypotheses
  private let line: CourseLine
  /// The square of the standard error, square centimetres.
  private let variance: Int64
  /// How far the team can have come along, millimetres.
  private let reach: Int64
  private(set) var found = CourseHypotheses()

  init(_ step: CourseStep, _ old: CourseHypotheses, errorMetres: Int32) {
    self.step = step
    self.old = old
    line = CourseLine(around: step.to)
    let deviation = Int64(max(15, step.accuracy) + min(max(0, errorMetres), 1000)) * 100
    variance = deviation * deviation
    let walked = min(max(0, step.elapsed?.count ?? 0), 100_000_000) * Bounds.courseGapPace / 1000
    let free = max(min(step.moved, Bounds.courseReach) * 13 / 10, walked)
    reach = min(free, Bounds.courseReach) + deviation * 20
  }

  // MARK: Searching

  /// Searches before and behind each place where the team may have been.
  mutating func searchNearby(on map: borrowing some CourseMap & ~Copyable) {
    var index: Int8 = 0
    while index < old.count {
      let before = old[index]
      let least = Int64(before.along) - reach - Bounds.courseReachMargin
      let most = Int64(before.along) + reach + Bounds.courseReachMargin
      var first = Int32(min(max(0, before.piece), Int16(map.coursePointCount - 2)))
      while first > 0, Int64(map.coursePoint(first).alongMillimetres) > least { first -= 1 }
      scan(from: first, to: most, before, .uncapped, on: map)
      index += 1
    }
  }

  /// Searches the whole course.
  ///
  /// - Parameter metres: from the line; what is further away does not count.
  mutating func searchEverywhere(
    within metres: Int32, isLost: Bool, on map: borrowing some CourseMap & ~Copyable
  ) {
    let limit = Int64(metres) * 100
    let judgement: Judgement =
      step.elapsed == nil || old.count == 0 ? .unknown(limit) : isLost ? .capped(limit) : .uncapped
    scan(from: 0, to: .max, old.best ?? CourseHypothesis(), judgement, on: map)
  }

  /// How costs are counted; those of a search everywhere with the limit of the distance to the
  /// line, centimetres.
  private enum Judgement {
    case uncapped
    case capped(Int64)
    case unknown(Int64)
  }

  /// Goes along the line; each point of it is taken that is nearer than those before and after.
  private mutating func scan(
    from first: Int32, to most: Int64, _ before: CourseHypothesis, _ judgement: Judgement,
    on map: borrowing some CourseMap & ~Copyable
  ) {
    var line = line
    line.begin(at: map.coursePoint(first))
    var index = first
    var end: CourseLine.Foot?
    while index + 1 < map.coursePointCount {
      let point = map.coursePoint(index + 1)
      let foot = line.advance(to: point)
      switch foot.place {
      case .start where index == first: consider(foot, index, before, judgement)
      case .start: if let end { consider(end, index - 1, before, judgement) }
      case .inside: consider(foot, index, before, judgement)
      case .end: break
      }
      end = foot.place == .end ? foot : nil
      index += 1
      if Int64(point.alongMillimetres) > most { break }
    }
    if let end { consider(end, index - 1, before, judgement) }
  }

  // MARK: Judging

  private mutating func consider(
    _ foot: CourseLine.Foot, _ piece: Int32, _ before: CourseHypothesis, _ judgement: Judgement
  ) {
    let furthest =
      switch judgement {
      case .uncapped: Bounds.courseNowhere
      case .capped(let limit), .unknown(let limit): limit
      }
    guard foot.away <= furthest * furthest else { return }
    var cost = min(150 * foot.away / variance, 3000) + Int64(before.cost)
    let along = Int64(foot.along) - Int64(before.along)
    switch judgement {
    case .uncapped: cost += price(of: along)
    case .capped: cost += min(price(of: along), 25_000)
    case .unknown: cost += along < 0 ? -along * 3 / 5000 : along / 5000
    }
    found.add(
      CourseHypothesis(
        along: foot.along, cost: Int32(min(cost, 1_000_000)), piece: Int16(piece)))
  }

  /// The evidence against having come that far along, millimetres.
  private func price(of along: Int64) -> Int64 {
    let excess = max(0, abs(along) - reach) / 50
    if along < 0 { return excess - along / 100 }
    return excess + max(0, min(step.moved, Bounds.courseReach) - along) / 1000
  }

  // MARK: The distance

  /// Centimetres between the position and the line there.
  func away(
    of hypothesis: CourseHypothesis, on map: borrowing some CourseMap & ~Copyable
  ) -> Int32 {
    var line = line
    let piece = Int32(min(max(0, hypothesis.piece), Int16(map.coursePointCount - 2)))
    line.begin(at: map.coursePoint(piece))
    let foot = line.advance(to: map.coursePoint(piece + 1))
    guard foot.away < CourseLine.nowhere else { return .max }
    return Int32(clamping: Coordinate.squareRoot(UInt64(foot.away)))
  }
}

/// Where on the course a team may be.
struct CourseHypothesis: Sendable, Equatable {
  /// Millimetres from the start.
  var along: Int32 = 0
  /// The evidence against it, in thousandths: the one with the least is believed.
  var cost: Int32 = 0
  /// The piece of the line, by the index of its first point.
  var piece: Int16 = 0
}

/// The few most likely ones, the most likely first.
struct CourseHypotheses: Sendable, Equatable {
  private var all = InlineArray<4, CourseHypothesis>(repeating: CourseHypothesis())
  private(set) var count: Int8 = 0

  subscript(_ index: Int8) -> CourseHypothesis { all[Int(index)] }

  static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    var index: Int8 = 0
    while index < a.count {
      guard a[index] == b[index] else { return false }
      index += 1
    }
    return true
  }

  var best: CourseHypothesis? { count > 0 ? all[0] : nil }

  /// Inserts one in order, unless there are better ones.
  mutating func add(_ new: CourseHypothesis) {
    var index: Int8 = 0
    while index < count {
      if abs(Int64(all[Int(index)].along) - Int64(new.along)) < Bounds.hypothesisNearness {
        if all[Int(index)].cost <= new.cost { return }
        remove(index)
      } else {
        index += 1
      }
    }
    index = count
    while index > 0, all[Int(index) - 1].cost > new.cost {
      if index < 4 { all[Int(index)] = all[Int(index) - 1] }
      index -= 1
    }
    guard index < 4 else { return }
    all[Int(index)] = new
    if count < 4 { count += 1 }
  }

  private mutating func remove(_ index: Int8) {
    var next = index + 1
    while next < count {
      all[Int(next) - 1] = all[Int(next)]
      next += 1
    }
    count -= 1
    all[Int(count)] = CourseHypothesis()
  }

  /// Counts costs from the best one, and gives up the hopeless.
  mutating func settle() {
    let least = count > 0 ? all[0].cost : 0
    var index: Int8 = 0
    while index < count {
      all[Int(index)].cost -= least
      if all[Int(index)].cost > Bounds.hypothesisCost {
        remove(index)
      } else {
        index += 1
      }
    }
  }
}
