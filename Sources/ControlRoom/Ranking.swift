import Reports
public import TrackerCore

/// How a team fares among the others.
public struct Standing: Sendable, Equatable {
  /// From 1 on; who is equally fast has the same.
  public var rank: Int
  /// The last place that it has passed, by its index in the course.
  public var place: Int
  /// How much longer it took to get there than the fastest of all that were there.
  public var behind: Milliseconds
}

/// Who is ahead: whoever has passed the furthest place, and of these who got there in less time.
///
/// Each team's time runs from its own start, as in a comparison of walks. That of a team whose
/// start nobody saw runs from the first start of all, so that nobody gains by switching on late.
struct Ranking {
  private struct Entry {
    var place: Int
    var time: Milliseconds

    func isAhead(of other: Entry) -> Bool {
      (other.place, time) < (place, other.time)
    }
  }

  /// For each way; `nil`: it has passed no place after the start.
  let standings: [Standing?]

  /// - Parameter ways: on one course, in any order; `nil`: it is not to be ranked.
  init(_ ways: [TeamWay?]) {
    let first = ways.compactMap { $0?.started }.min()
    let starts = ways.map { $0?.started ?? first }
    let entries = zip(ways, starts).map { way, start -> Entry? in
      // In the course's first place everybody starts.
      guard let (place, utc) = way?.lastPassage, let start, place > 0 else { return nil }
      return Entry(place: place, time: utc - start)
    }
    var fastest: [Int: Milliseconds] = [:]
    for (way, start) in zip(ways, starts) {
      guard let way, let start else { continue }
      for (place, call) in way.calls.enumerated() {
        guard case .passed(let utc, _) = call.state else { continue }
        fastest[place] = min(fastest[place] ?? utc - start, utc - start)
      }
    }
    let order = entries.compactMap(\.self).sorted { $0.isAhead(of: $1) }
    standings = entries.map { entry in
      guard let entry else { return nil }
      let ahead = order.prefix { $0.isAhead(of: entry) }.count
      return Standing(
        rank: ahead + 1, place: entry.place,
        behind: entry.time - (fastest[entry.place] ?? entry.time))
    }
  }
}
