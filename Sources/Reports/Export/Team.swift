import Statistics
import TrackerCore

/// The captures of one team with one device, in order.
struct Team {
  var name: String
  var device: UniqueID
  var captures: [ExportedCapture] = []

  /// The captures in runs without a gap, or a step back by as much. A capture without a date makes
  /// no gap.
  var segments: [ArraySlice<ExportedCapture>] {
    var steps: [Milliseconds] = []
    var last: UTC?
    for case let date? in captures.map(\.date) {
      if let last { steps.append(date - last) }
      last = date
    }
    let longest = Gaps.longestStep(steps).count
    var segments: [ArraySlice<ExportedCapture>] = []
    var (start, step) = (0, 0)
    last = nil
    for (index, capture) in captures.enumerated() {
      guard let date = capture.date else { continue }
      defer { last = date }
      if last == nil { continue }
      if steps[step].count.magnitude > longest.magnitude {
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
