import TrackerCore

/// The captures of one team with one device, in order.
struct Team {
  var name: String
  var device: UniqueID
  var captures: [ExportedCapture] = []

  /// A shorter gap is no gap: captures are at most so far apart in a race.
  private static let shortestGap: Int64 = 15 * 60_000

  /// The captures in runs without a gap. A gap is longer than `shortestGap`, or a step back by as
  /// much, and longer than one and a half of the usual distance (the median), so that captures
  /// half an hour apart are one line, too. A capture without a date makes no gap.
  var segments: [ArraySlice<ExportedCapture>] {
    var steps: [Int64] = []
    var last: UTC?
    for case let date? in captures.map(\.date) {
      if let last { steps.append((date - last).count) }
      last = date
    }
    let usual = steps.map { abs($0) }.sorted().dropFirst(steps.count / 2).first ?? 0
    let longest = max(Self.shortestGap, usual + usual / 2)
    var segments: [ArraySlice<ExportedCapture>] = []
    var (start, step) = (0, 0)
    last = nil
    for (index, capture) in captures.enumerated() {
      guard let date = capture.date else { continue }
      defer { last = date }
      if last == nil { continue }
      if abs(steps[step]) > longest {
        segments.append(captures[start..<index])
        start = index
      }
      step += 1
    }
    return segments + [captures[start...]]
  }

  private struct Key: Hashable {
    var name: String
    var device: UniqueID
  }

  /// Ordered by first capture.
  static func tracks(of captures: some Sequence<ExportedCapture>) -> [Team] {
    var teams: [Team] = []
    var places: [Key: Int] = [:]
    for capture in captures {
      let key = Key(name: capture.team, device: capture.device)
      let place = places[key] ?? teams.count
      if place == teams.count {
        places[key] = place
        teams.append(Team(name: key.name, device: key.device))
      }
      teams[place].captures.append(capture)
    }
    return teams
  }
}
