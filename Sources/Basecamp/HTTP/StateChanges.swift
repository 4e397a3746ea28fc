import Wording

/// A state that people look at, as JSON, and how it differs from another.
struct SharedState: Sendable {
  /// The lists of it whose entries are told one by one, and what names an entry.
  private static let lists = ["teams": "tracker", "alarms": "number"]
  /// Members that change without anything being different.
  private static let restless: Set<String> = ["now", "version"]

  let figure: Figure

  init(_ figure: Figure) { self.figure = figure }

  private var members: [Figure.Member] {
    if case .object(let members) = figure { members } else { [] }
  }

  /// What is different from an earlier state: members that have changed; of a list, the entries
  /// that are new or have changed, and, as `NAME_order`, the names of all in their order if that is
  /// another.
  ///
  /// - Returns: `nil` if nothing is.
  func changes(since earlier: SharedState) -> Figure? {
    var told: [Figure.Member] = []
    var isDifferent = false
    let before = earlier.members
    for member in members {
      let old = before.first { $0.name == member.name }?.figure
      if let key = Self.lists[member.name] {
        let (entries, order) = Self.changes(member.figure, since: old ?? .list([]), key)
        if !entries.isEmpty { told.append(.init(member.name, .list(entries))) }
        if let order { told.append(.init("\(member.name)_order", .list(order))) }
        if !entries.isEmpty || order != nil { isDifferent = true }
      } else if Self.restless.contains(member.name) {
        told.append(member)
      } else if old != member.figure {
        told.append(member)
        isDifferent = true
      }
    }
    return isDifferent ? .object(told) : nil
  }

  private static func changes(
    _ list: Figure, since earlier: Figure, _ key: String
  ) -> (entries: [Figure], order: [Figure]?) {
    let (new, old) = (entries(of: list, key), entries(of: earlier, key))
    // Thousands of teams in the order that they had need no look-up.
    if new.count == old.count, zip(new, old).allSatisfy({ $0.name == $1.name }) {
      return (zip(new, old).filter { $0.figure != $1.figure }.map(\.0.figure), nil)
    }
    var known: [String: Figure] = [:]
    for entry in old { known[entry.name.line] = entry.figure }
    let changed = new.filter { known[$0.name.line] != $0.figure }.map(\.figure)
    let order = new.map(\.name)
    return (changed, order == old.map(\.name) ? nil : order)
  }

  private static func entries(
    of list: Figure, _ key: String
  ) -> [(name: Figure, figure: Figure)] {
    guard case .list(let figures) = list else { return [] }
    return figures.map { ($0[path: key] ?? .none, $0) }
  }
}
