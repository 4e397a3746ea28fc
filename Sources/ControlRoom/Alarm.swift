public import TrackerCore
public import Wording

/// Whom an alarm is about.
public enum Subject: Sendable, Equatable {
  /// A tracker, by its code.
  case tracker(String)
  /// Several of them that are silent on one stretch of the course, or since their start.
  case stretch([String])
  /// All: the server, or the way to it.
  case everyone
}

/// Something that needs a human, from when it was found until it is over.
public struct Alarm: Sendable, Equatable {
  public enum State: Sendable, Equatable {
    case raised
    case seen(by: String)
    case taken(by: String)
    /// It is over because its cause is gone, without anybody's doing.
    case cleared(at: UTC)
    /// Somebody has said that it is over, and why.
    case resolved(by: String, reason: String)
  }

  /// From 1 on, in the order in which they were raised.
  public let number: Int
  /// Of a stretch those that are silent there now.
  public internal(set) var subject: Subject
  public let need: Need
  /// Since when what it is about lasts.
  public let since: UTC
  public let raisedAt: UTC
  public internal(set) var evidence: Evidence
  public internal(set) var state = State.raised
  /// When a person took it last.
  var takenAt: UTC?
  /// When a person ended it.
  public internal(set) var resolvedAt: UTC?

  /// The codes of those whom it is about; none: of all.
  public var trackers: [String] {
    switch subject {
    case .tracker(let tracker): [tracker]
    case .stretch(let several): several
    case .everyone: []
    }
  }

  public var isOpen: Bool {
    switch state {
    case .raised, .seen, .taken: true
    case .cleared, .resolved: false
    }
  }
}

/// What a person does in the control room.
public enum Act: Sendable, Equatable {
  case see(alarm: Int)
  case take(alarm: Int)
  case resolve(alarm: Int, reason: String)
  /// A remark, on a tracker or in general.
  case note(tracker: String?, text: String)
}

extension Act {
  /// With texts of a length that the diary can keep.
  var bounded: Act {
    switch self {
    case .see, .take: self
    case .resolve(let alarm, let reason):
      .resolve(alarm: alarm, reason: reason.bounded)
    case .note(let tracker, let text):
      .note(
        tracker: tracker.map(\.bounded),
        text: text.bounded)
    }
  }
}

/// Why an act was refused.
public struct ActError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
}

/// All alarms of a race, and which of them their causes still hold up.
struct Alarms: Sendable {
  /// By their numbers.
  private(set) var all: [Alarm] = []
  /// The numbers of those whose cause lasts, also of those that a person has ended.
  private var lasting: [Int] = []

  enum Change: Sendable, Equatable {
    case raised(Alarm)
    case cleared(Alarm)
  }

  /// Compares with what holds now.
  ///
  /// - Returns: what is new, in the order of subjects and needs.
  mutating func update(_ found: [(subject: Subject, concern: Concern)], at now: UTC) -> [Change] {
    var changes: [Change] = []
    var still: [Int] = []
    for (subject, concern) in found {
      let match = lasting.first { all[$0 - 1].isAbout(subject, concern.need) }
      if let match, !all[match - 1].isRepeated(by: concern), !all[match - 1].isFollowed(by: concern)
      {
        (all[match - 1].subject, all[match - 1].evidence) = (subject, concern.evidence)
        still.append(match)
      } else if let again = earlier(subject, concern) {
        still.append(again)
        if case .cleared = all[again - 1].state {
          all[again - 1].state = .raised
          changes.append(.raised(all[again - 1]))
        }
      } else if all.count < Bounds.alarms || concern.need == .emergency {
        let alarm = Alarm(
          number: all.count + 1, subject: subject, need: concern.need, since: concern.since,
          raisedAt: now, evidence: concern.evidence)
        all.append(alarm)
        still.append(alarm.number)
        changes.append(.raised(alarm))
      }
    }
    for number in lasting where !still.contains(number) {
      guard all[number - 1].isOpen, all[number - 1].need != .emergency else { continue }
      all[number - 1].state = .cleared(at: now)
      changes.append(.cleared(all[number - 1]))
    }
    lasting = still
    return changes
  }

  /// An alarm of which it is the continuation: an older capture shows that its cause had gone on,
  /// or it is a forecast that changes to and fro.
  private mutating func earlier(_ subject: Subject, _ concern: Concern) -> Int? {
    guard
      let index = all.lastIndex(where: { $0.isAbout(subject, concern.need) }),
      concern.since <= all[index].raisedAt || concern.need == .late || concern.need == .battery
    else { return nil }
    if all[index].isRepeated(by: concern) || all[index].isFollowed(by: concern) { return nil }
    (all[index].subject, all[index].evidence) = (subject, concern.evidence)
    return all[index].number
  }

  /// - Parameter by: the person's name.
  mutating func act(_ act: Act, by person: String, at now: UTC) throws(ActError) {
    switch act {
    case .note: return
    case .see(let number):
      let index = try self.index(of: number)
      if all[index].state == .raised { all[index].state = .seen(by: person) }
    case .take(let number):
      let index = try self.index(of: number)
      if case .cleared(let at) = all[index].state {
        throw ActError(texts: RoomPhrase.isOver.texts("\(number)", "\(CalendarText.text(at)) UTC"))
      }
      (all[index].state, all[index].takenAt) = (.taken(by: person), now)
    case .resolve(let number, let reason):
      let index = try self.index(of: number)
      guard reason.contains(where: { !$0.isWhitespace }) else {
        throw ActError(texts: RoomPhrase.noReason.texts)
      }
      all[index].state = .resolved(by: person, reason: reason)
      all[index].resolvedAt = now
    }
  }

  /// The alarm that is about the same as another one on which somebody acted: of those whose cause
  /// was there then the one with the same beginning, else the last.
  func number(of topic: AlarmTopic, at utc: UTC) -> Int? {
    let same = all.filter { $0.isAbout(topic.subject, topic.need) && $0.since <= utc }
    return (same.last { $0.since == topic.since } ?? same.last)?.number
  }

  private func index(of number: Int) throws(ActError) -> Int {
    guard number > 0, number <= all.count else {
      throw ActError(texts: RoomPhrase.noAlarm.texts("\(number)"))
    }
    // One that has ended by itself can still be looked at and closed by a person.
    if case .resolved(let person, _) = all[number - 1].state {
      throw ActError(texts: RoomPhrase.isResolved.texts("\(number)", person))
    }
    return number - 1
  }
}

extension Alarm {
  func isAbout(_ other: Subject, _ need: Need) -> Bool {
    guard self.need == need else { return false }
    switch (subject, other) {
    case (.stretch(let mine), .stretch(let theirs)): return mine.contains { theirs.contains($0) }
    default: return subject == other
    }
  }

  /// Whether a person has ended it, and the same has happened again since.
  func isRepeated(by concern: Concern) -> Bool { resolvedAt.map { concern.since > $0 } ?? false }

  /// Whether a person has taken an emergency, and the team has raised another one since: nobody has
  /// read that.
  func isFollowed(by concern: Concern) -> Bool {
    guard need == .emergency, case .taken = state, let takenAt else { return false }
    return concern.since > takenAt
  }
}
