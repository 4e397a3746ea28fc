import Reports
public import TrackerCore
public import Wording

/// An entry of the diary as people look for it: about whom, by whom, and in which words.
public struct DiaryRecord: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case arrived, acted, raised, cleared, replanned, erased, gone
  }

  public var number: Int
  public var at: UTC
  public var kind: Kind
  /// By their codes; none: about all, or about nobody.
  public var trackers: [String] = []
  public var person: String?
  public var alarm: Int?
  public var need: Need?
  /// Since when what the alarm is about lasts.
  public var since: UTC?
  /// `see`, `take`, `resolve` or `note`; of a capture `changed` or `deleted`, if it was.
  public var act: String?
  /// What somebody wrote, or what speaks for an alarm, in English.
  public var text = ""

  /// - Parameter entries: as the chain has read them, from the first one on.
  public static func all(_ entries: [DiaryEntry]) -> [DiaryRecord] {
    var topics: [Int: AlarmTopic] = [:]
    return entries.map { entry in
      switch entry.content {
      case .raised(let alarm): topics[alarm.number] = alarm.topic
      // From here on alarms have other numbers.
      case .replanned, .erased: topics = [:]
      default: break
      }
      return DiaryRecord(entry, topics)
    }
  }

  /// - Parameter kept: the whole diary.
  /// - Throws: which entry is not the one that was written.
  public static func all(of kept: [KeptEntry]) throws(DiaryError) -> [DiaryRecord] {
    all(try DiaryEntry.all(of: kept))
  }

  private init(_ entry: DiaryEntry, _ topics: [Int: AlarmTopic]) {
    (number, at) = (entry.number, entry.at)
    switch entry.content {
    case .arrived(let arrival):
      (kind, trackers) = (.arrived, [arrival.tracker])
      if arrival.revision > 0 { act = arrival.isGone ? "deleted" : "changed" }
    case .acted(let act, let person, let about):
      kind = .acted
      self.person = person
      self.act = act.word
      alarm = act.alarm
      take(about ?? alarm.flatMap { topics[$0] })
      if case .resolve(_, let reason) = act { text = reason }
      if case .note(let tracker, let words) = act {
        (trackers, text) = (tracker.map { [$0] } ?? [], words)
      }
    case .raised(let alarm):
      kind = .raised
      self.alarm = alarm.number
      take(alarm.topic)
      text = alarm.evidence.text(in: .english)
    case .cleared(let number):
      (kind, alarm) = (.cleared, number)
      take(topics[number])
    case .replanned: kind = .replanned
    case .erased: kind = .erased
    case .gone: kind = .gone
    }
  }

  private mutating func take(_ topic: AlarmTopic?) {
    guard let topic else { return }
    (need, since) = (topic.need, topic.since)
    switch topic.subject {
    case .tracker(let tracker): trackers = [tracker]
    case .stretch(let all): trackers = all
    case .everyone: trackers = []
    }
  }
}

/// Which records somebody wants to see.
public struct DiaryFilter: Sendable, Equatable {
  /// `nil`: of every one, and so on.
  public var tracker: String?
  public var kinds: Set<DiaryRecord.Kind>?
  public var person: String?
  /// In what is written, in any case of letters.
  public var words: String?
  public var from: UTC?
  /// Not including it.
  public var until: UTC?

  public init(
    tracker: String? = nil, kinds: Set<DiaryRecord.Kind>? = nil, person: String? = nil,
    words: String? = nil, from: UTC? = nil, until: UTC? = nil
  ) {
    (self.tracker, self.kinds, self.person, self.words) = (tracker, kinds, person, words)
    (self.from, self.until) = (from, until)
  }

  public func matches(_ record: DiaryRecord) -> Bool {
    tracker.map { record.trackers.contains($0) } ?? true
      && kinds.map { $0.contains(record.kind) } ?? true
      && person.map { record.person == $0 } ?? true
      && words.map { record.text.has($0) } ?? true
      && from.map { record.at >= $0 } ?? true && until.map { record.at < $0 } ?? true
  }
}

extension String {
  /// Whether a text stands in it, in any case of letters.
  fileprivate func has(_ part: String) -> Bool {
    let (text, part) = (Array(lowercased().utf8), Array(part.lowercased().utf8))
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains {
      text[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}

extension DiaryRecord {
  /// Whether it is about what an alarm is about, however that is numbered.
  public func isAbout(_ alarm: Alarm) -> Bool {
    need == alarm.need && since == alarm.since && trackers == alarm.trackers
  }

  /// For the page and for programs.
  ///
  /// - Parameter text: in another language, or as it was written.
  public func figure(text: String) -> Figure {
    .object([
      .init("number", .integer(number)), .init("at", PassageTable.date(at)),
      .init("kind", .text(kind.rawValue)), .init("trackers", .list(trackers.map { .text($0) })),
      .init("by", person.map { .text($0) } ?? .none),
      .init("alarm", alarm.map { .integer($0) } ?? .none),
      .init("need", need.map { .text($0.name) } ?? .none),
      .init("act", act.map { .text($0) } ?? .none), .init("text", .text(text)),
    ])
  }

  /// CSV (RFC 4180) with a header, for spreadsheets.
  public static func csv(_ records: [DiaryRecord]) -> String {
    "number,at,kind,trackers,person,alarm,need,act,text\r\n"
      + records.map { $0.row + "\r\n" }.joined()
  }

  private var row: String {
    // With its type and in parts: Swift 6.2 gives up on it otherwise.
    let about: [String] = [person, alarm.map { String($0) }, need?.name, act].map { $0 ?? "" }
    let when: [String] = [String(number), CalendarText.text(at) + " UTC", kind.rawValue]
    let fields: [String] = when + [trackers.map(\.visible).joined(separator: " ")] + about + [text]
    return fields.map(Self.quoted).joined(separator: ",")
  }

  private static func quoted(_ field: String) -> String {
    // A spreadsheet would take it for a formula.
    let first = field.unicodeScalars.first { !$0.properties.isWhitespace }
    let isFormula = first.map { "=+-@".unicodeScalars.contains($0) } ?? false
    let text = isFormula ? "'" + field : field
    // Some of them take semicolons and tabs for the end of a cell, too.
    guard text.unicodeScalars.contains(where: { "\",;\t\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

extension Act {
  /// Its word in files.
  var word: String {
    switch self {
    case .see: "see"
    case .take: "take"
    case .resolve: "resolve"
    case .note: "note"
    }
  }
}

// MARK: - The next shift

/// What whoever takes over has to know: what has happened since a time, and what is open.
public struct Handover: Sendable, Equatable {
  public let since: UTC
  public let now: UTC
  /// Alarms of that time.
  public let raised: Int
  public let cleared: Int
  /// By people, with their reasons and remarks.
  public let acts: [DiaryRecord]
  /// The most urgent first.
  public let open: [Alarm]

  public init(since: UTC, at now: UTC, _ records: [DiaryRecord], _ alarms: [Alarm]) {
    (self.since, self.now) = (since, now)
    let shift = records.filter(DiaryFilter(from: since).matches)
    raised = shift.count { $0.kind == .raised }
    cleared = shift.count { $0.kind == .cleared }
    acts = shift.filter { $0.kind == .acted && !$0.text.isEmpty }
    open = alarms.filter(\.isOpen).sorted {
      ($0.need.rawValue, $0.since.milliseconds, $0.number)
        < ($1.need.rawValue, $1.since.milliseconds, $1.number)
    }
  }

  /// For programs.
  public var figure: Figure {
    .object([
      .init("since", PassageTable.date(since)), .init("now", PassageTable.date(now)),
      .init("raised", .integer(raised)), .init("cleared", .integer(cleared)),
      .init("acts", .list(acts.map { $0.figure(text: $0.text) })),
      .init("open", .list(open.map { .integer($0.number) })),
    ])
  }
}
