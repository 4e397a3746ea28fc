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

  /// One that costs this much more than the best is dropped.
  private static let hopeless: Int32 = 30_000
  /// Two that are this close to each other are the same, millimetres.
  private static let nearness: Int64 = 8000

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
      if abs(Int64(all[Int(index)].along) - Int64(new.along)) < Self.nearness {
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
      if all[Int(index)].cost > Self.hopeless {
        remove(index)
      } else {
        index += 1
      }
    }
  }
}
