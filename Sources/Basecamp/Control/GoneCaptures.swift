/// Finds out which captures a followed layer has no more.
///
/// An answer that lacks captures is no proof that somebody has deleted them: it may be cut short,
/// of a user who sees less, or of a layer that shows its last day only. What counts as deleted
///
/// - lies between two captures that the layer still has: one that shows nothing deleted nothing;
/// - was missing in the look before, too;
/// - is at most half of what lies there.
struct GoneCaptures {
  /// What the last look missed.
  private var missed: Set<Int64> = []

  enum Verdict: Equatable {
    /// The numbers of those that were deleted.
    case gone([Int64])
    /// So many of so many are missing, which nobody believes.
    case tooMany(Int, of: Int)
  }

  /// - Parameters:
  ///   - known: the numbers of those that were read before, in ascending order.
  ///   - present: of these, what the layer says it has.
  mutating func judge(_ known: [Int64], _ present: Set<Int64>) -> Verdict {
    guard let first = known.firstIndex(where: present.contains),
      let last = known.lastIndex(where: present.contains)
    else { return .gone([]) }
    let between = known[first...last]
    let missing = between.filter { !present.contains($0) }
    if missing.count * 2 > between.count {
      missed = []
      return .tooMany(missing.count, of: between.count)
    }
    let before = missed
    missed = Set(missing)
    return .gone(missing.filter(before.contains))
  }

  /// The layer is another one by now.
  mutating func forget() { missed = [] }
}
