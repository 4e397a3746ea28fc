public import TrackerCore

/// What a tracker did of late, and why it did not: bounded, in memory.
public struct EventMemory: Sendable {
  /// About six hours of a walk with a contact every ten minutes, each with some eight events.
  static let mostEvents = 300
  /// Changes of the reasons: a search passes through five of them.
  static let mostChanges = 600
  static let window = Milliseconds.hours(6)

  struct Entry: Sendable {
    var at: Instant
    /// `EventPhrase`'s name.
    var name: String
    var detail: String
  }

  struct Change: Sendable {
    var at: Instant
    var reason: Reason?
  }

  private(set) var entries: [Entry] = []
  private(set) var capturing: [Change] = []
  private(set) var sending: [Change] = []

  public init() {}

  mutating func add(_ phrase: EventPhrase, _ detail: String = "", at now: Instant) {
    entries.append(Entry(at: now, name: phrase.rawValue, detail: detail))
    if entries.count > Self.mostEvents { entries.removeFirst(entries.count - Self.mostEvents) }
  }

  mutating func capturing(_ reason: Reason?, at now: Instant) {
    Self.add(reason, at: now, to: &capturing)
  }

  mutating func sending(_ reason: Reason?, at now: Instant) {
    Self.add(reason, at: now, to: &sending)
  }

  private static func add(_ reason: Reason?, at now: Instant, to changes: inout [Change]) {
    changes.append(Change(at: now, reason: reason))
    // The first one that is kept may have begun before the window.
    while changes.count > 1, changes.count > mostChanges || now - changes[1].at > window {
      changes.removeFirst()
    }
  }

  // MARK: Answers for a socket

  /// Lines `age name detail`, the oldest first; ages in milliseconds.
  public func lines(newest count: Int, at now: Instant) -> String {
    entries.suffix(max(0, count)).map { "\((now - $0.at).count) \($0.name) \($0.detail.plain)\n" }
      .joined()
  }

  /// Lines `capturing window length reason`: in the last so many milliseconds, how long which
  /// reason held; the reason `none` while one was taken or sent.
  public func shares(at now: Instant) -> String {
    var text = ""
    for window in [Milliseconds.hours(1), Self.window] {
      // All of it is in the shorter window.
      let first = [capturing.first, sending.first].compactMap { $0?.at }.min() ?? now
      if window == Self.window, now - first <= .hours(1) { break }
      text += Self.shares("capturing", capturing, window, at: now)
      text += Self.shares("sending", sending, window, at: now)
    }
    return text
  }

  private static func shares(
    _ subject: String, _ changes: [Change], _ window: Milliseconds, at now: Instant
  ) -> String {
    guard let first = changes.first else { return "" }
    let from = max(first.at, now - window)
    var lengths: [(name: String, length: Int64)] = []
    for (index, change) in changes.enumerated() {
      let end = index + 1 < changes.count ? changes[index + 1].at : now
      let length = (end - max(change.at, from)).count
      guard length > 0 else { continue }
      let name = change.reason.map { "\($0.key)" } ?? "none"
      if let known = lengths.firstIndex(where: { $0.name == name }) {
        lengths[known].length += length
      } else {
        lengths.append((name, length))
      }
    }
    let whole = (now - from).count
    return lengths.sorted { ($1.length, $0.name) < ($0.length, $1.name) }
      .map { "\(subject) \(whole) \($0.length) \($0.name)\n" }.joined()
  }
}
