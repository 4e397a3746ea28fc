public import TrackerCore

/// What is a gap between two points of a track, by how far apart they usually are.
public enum Gaps {
  /// What takes longer is a gap: a quarter of an hour, or one and a half of the usual distance (the
  /// median), so that captures half an hour apart are one line, too.
  ///
  /// - Parameter steps: from each point to the next; a step back counts by its size.
  public static func longestStep(_ steps: [Milliseconds]) -> Milliseconds {
    let usual = usualStep(steps).count
    return max(StatisticsBounds.shortestGap, Milliseconds(usual &+ usual / 2))
  }

  /// The median; 0 without any.
  public static func usualStep(_ steps: [Milliseconds]) -> Milliseconds {
    let sizes = steps.map { Int64(clamping: $0.count.magnitude) }.sorted()
    return Milliseconds(sizes.dropFirst(sizes.count / 2).first ?? 0)
  }
}
