public import TrackerCore

/// What a tracker did recently, and why it did not: bounded, in memory, and kept by the host across
/// restarts (`EventMemory+Keeping.swift`).
public struct EventMemory: Sendable, Equatable {
  /// About six hours of a walk with a contact every ten minutes, each with some eight events.
  static let mostEvents = 300
  /// Changes of the reasons: a search passes through five of them.
  static let mostChanges = 600
  static let window = Milliseconds.hours(6)
  /// In addition to the reasons: something was taken or sent, or nothing ran at all.
  static let active = "none"
  static let off = "off"

  struct Entry: Sendable, Equatable {
    /// `nil`: before a restart, an unknown time ago.
    var at: Instant?
    /// `EventPhrase`'s name.
    var name: String
    var detail: String
  }

  struct Change: Sendable, Equatable {
    var at: Instant
    /// A reason's key, `active` or `off`.
    var name: String
  }

  /// A run before this one. How long ago it ended is not known, or not yet; its clock is 0 then.
  struct EarlierRun: Sendable, Equatable {
    var entries: [Entry] = []
    var capturing: [Change] = []
    var sending: [Change] = []
    /// When it ended, if it trusted a date.
    var date: UTC?
  }

  private(set) var entries: [Entry] = []
  private(set) var capturing: [Change] = []
  private(set) var sending: [Change] = []
  var earlier: EarlierRun?
  /// Grows with each change, so that a host knows whether to save it again.
  public private(set) var revision = 0

  public init() {}

  mutating func add(_ phrase: EventPhrase, _ detail: String = "", at now: Instant) {
    entries.append(Entry(at: now, name: phrase.rawValue, detail: detail))
    if entries.count > Self.mostEvents { entries.removeFirst(entries.count - Self.mostEvents) }
    revision += 1
  }

  /// For a reader that has not done what its last event says.
  mutating func forgetLast() { if !entries.isEmpty { entries.removeLast() } }

  mutating func capturing(_ reason: Reason?, at now: Instant) {
    Self.add(reason, at: now, to: &capturing)
    revision += 1
  }

  mutating func sending(_ reason: Reason?, at now: Instant) {
    Self.add(reason, at: now, to: &sending)
    revision += 1
  }

  private static func add(_ reason: Reason?, at now: Instant, to changes: inout [Change]) {
    changes.append(Change(at: now, name: reason.map { "\($0.key)" } ?? active))
    trim(&changes, at: now)
  }

  /// The first one that is kept may have begun before the window.
  private static func trim(_ changes: inout [Change], at now: Instant) {
    let excess = max(0, changes.count - mostChanges)
    let old = changes.dropFirst().prefix { now - $0.at > window }.count
    changes.removeFirst(max(excess, old))
  }

  /// Puts an earlier run before this one, with the time between them.
  ///
  /// - Parameter end: when the earlier one ended.
  mutating func place(_ run: EarlierRun, ending end: Instant, at now: Instant) {
    let shift = end - .start
    let before = run.entries.map { entry in
      Entry(at: entry.at.map { $0 + shift }, name: entry.name, detail: entry.detail)
    }
    entries = Array((before + entries).suffix(Self.mostEvents))
    func joined(_ before: [Change], _ after: [Change]) -> [Change] {
      guard !before.isEmpty else { return after }
      var all = before.map { Change(at: $0.at + shift, name: $0.name) }
      all += [Change(at: end, name: Self.off)] + after
      Self.trim(&all, at: now)
      return all
    }
    capturing = joined(run.capturing, capturing)
    sending = joined(run.sending, sending)
    earlier = nil
    revision += 1
  }

  // MARK: Answers for a socket

  /// Lines `age name detail`, the oldest first; ages in milliseconds, `-` if they were before a
  /// restart at an unknown time.
  public func lines(newest count: Int, at now: Instant) -> String {
    let before = (earlier?.entries ?? []).map { Entry(at: nil, name: $0.name, detail: $0.detail) }
    return (before + entries).suffix(min(max(0, count), Self.mostEvents)).map { entry in
      let age = entry.at.map { "\((now - $0).count)" } ?? "-"
      return "\(age) \(entry.name) \(entry.detail.plain)\n"
    }.joined()
  }

  /// Lines `capturing window length reason`: in the last so many milliseconds, how long which
  /// reason held; the reason `none` while one was taken or sent, `off` between two runs. Those of a
  /// run that ended an unknown time ago have a fifth word, `before`.
  public func shares(at now: Instant) -> String {
    var text = ""
    for window in [Milliseconds.hours(1), Self.window] {
      // All of it is in the shorter window.
      let first = [capturing.first, sending.first].compactMap { $0?.at }.min() ?? now
      if window == Self.window, now - first <= .hours(1) { break }
      text += Self.shares("capturing", capturing, window, at: now)
      text += Self.shares("sending", sending, window, at: now)
    }
    guard let earlier else { return text }
    text += Self.shares("capturing", earlier.capturing, Self.window, at: .start, " before")
    return text + Self.shares("sending", earlier.sending, Self.window, at: .start, " before")
  }

  private static func shares(
    _ subject: String, _ changes: [Change], _ window: Milliseconds, at now: Instant,
    _ suffix: String = ""
  ) -> String {
    guard let first = changes.first else { return "" }
    let from = max(first.at, now - window)
    var lengths: [(name: String, length: Int64)] = []
    for (index, change) in changes.enumerated() {
      let end = index + 1 < changes.count ? changes[index + 1].at : now
      let length = (end - max(change.at, from)).count
      guard length > 0 else { continue }
      if let known = lengths.firstIndex(where: { $0.name == change.name }) {
        lengths[known].length += length
      } else {
        lengths.append((change.name, length))
      }
    }
    let whole = (now - from).count
    return lengths.sorted { ($1.length, $0.name) < ($0.length, $1.name) }
      .map { "\(subject) \(whole) \($0.length) \($0.name)\(suffix)\n" }.joined()
  }
}
