import Courses
import Digests
import TrackerCore
import Wording

extension Room {
  /// The room that a diary tells of, with what has to be written to go on.
  ///
  /// With the plan and the program with which it was written, it is the same room, byte for byte.
  /// With others it is the room that has had them from the start: with the same captures, and with
  /// what people did, applied again to the alarms that are about the same.
  ///
  /// - Parameter entries: as the chain has read them, from the first one on.
  /// - Returns: `written` is empty if all is as it was.
  public static func resume(
    _ entries: [DiaryEntry], _ plan: RacePlan
  ) -> (room: Room, written: [DiaryEntry]) {
    let mark = plan.mark
    let begin = entries.lastIndex { $0.content.isNewBeginning }
    var isSamePlan = true
    if let begin, case .replanned(let before) = entries[begin].content {
      isSamePlan = before == mark
    }
    if isSamePlan {
      let first = begin.map { rebuild(entries[...$0], plan) } ?? Room(plan)
      if let room = try? first.replay(entries[(begin.map { $0 + 1 } ?? 0)...]) { return (room, []) }
    }
    var room = rebuild(entries[...], plan)
    let written = room.note(.replanned(plan: mark))
    return (room, written)
  }

  /// The room with what another one has written into the diary since.
  ///
  /// - Throws: if this one would not have written the same: it has another plan, or is of another
  ///   version.
  public func following(_ entries: [DiaryEntry]) throws(DiaryError) -> Room {
    try replay(entries[...])
  }

  /// The room that a diary tells of: what arrived and what people did, once more, at their times.
  ///
  /// - Throws: if the alarms come out otherwise than they are written down: another plan, or
  ///   another version of this program.
  func replay(_ entries: ArraySlice<DiaryEntry>) throws(DiaryError) -> Room {
    var room = self
    room.isReplaying = true
    var index = entries.startIndex
    while index < entries.endIndex {
      let entry = entries[index]
      let written: [DiaryEntry]
      switch entry.content {
      case .arrived:
        let arrivals = Self.arrivals(entries[index...])
        written = room.advance(to: entry.at) + room.take(arrivals)
      case .acted(let act, let person, _):
        do throws(ActError) { written = try room.act(act, by: person, at: entry.at) } catch {
          throw DiaryError(entry: entry.number, texts: error.texts)
        }
      case .raised, .cleared: written = room.advance(to: entry.at)
      case .replanned, .erased, .gone: written = []
      }
      let kept = entries[index...].prefix(written.count)
      guard !written.isEmpty, kept.elementsEqual(written, by: { $0.line == $1.line }) else {
        throw DiaryError(
          entry: entry.number, texts: RoomPhrase.otherCourse.texts("\(entry.number)"))
      }
      index += written.count
    }
    room.isReplaying = false
    return room
  }

  /// Those that arrived together.
  private static func arrivals(_ entries: ArraySlice<DiaryEntry>) -> [DeliveredCapture] {
    var arrivals: [DeliveredCapture] = []
    for entry in entries {
      guard case .arrived(let arrival) = entry.content, entry.at == entries.first?.at else { break }
      arrivals.append(arrival)
    }
    return arrivals
  }

  /// The room that has had the plan from the start, whatever alarms the diary tells of.
  private static func rebuild(_ entries: ArraySlice<DiaryEntry>, _ plan: RacePlan) -> Room {
    var room = Room(plan)
    room.isReplaying = true
    // In diaries of earlier versions an act has the alarm's number only.
    var topics: [Int: AlarmTopic] = [:]
    var index = entries.startIndex
    while index < entries.endIndex {
      let entry = entries[index]
      index += 1
      switch entry.content {
      case .arrived:
        let arrivals = Self.arrivals(entries[(index - 1)...])
        _ = room.advance(to: entry.at)
        _ = room.take(arrivals)
        index += arrivals.count - 1
      case .acted(let act, let person, let about):
        _ = room.advance(to: entry.at)
        if let number = act.alarm, let topic = about ?? topics[number] {
          room.repeatAct(KeptAct(act: act, person: person, topic: topic, at: entry.at))
        }
      case .raised(let alarm): topics[alarm.number] = alarm.topic
      case .replanned: topics = [:]
      case .cleared, .erased, .gone: break
      }
    }
    if let last = entries.last { _ = room.advance(to: last.at) }
    room.continueDiary(after: entries.last?.number ?? 0)
    room.isReplaying = false
    return room
  }
}

/// An act that is applied again.
struct KeptAct: Sendable {
  var act: Act
  var person: String
  var topic: AlarmTopic
  var at: UTC
}

extension DiaryEntry.Content {
  var isNewBeginning: Bool {
    switch self {
    case .replanned, .erased: true
    case .arrived, .acted, .raised, .cleared, .gone: false
    }
  }
}

extension Alarm {
  public var topic: AlarmTopic { AlarmTopic(need: need, subject: subject, since: since) }
}

extension Act {
  /// The number of the alarm that it is about; `nil`: of none.
  var alarm: Int? {
    switch self {
    case .see(let alarm), .take(let alarm), .resolve(let alarm, _): alarm
    case .note: nil
    }
  }

  func about(alarm: Int) -> Act {
    switch self {
    case .see: .see(alarm: alarm)
    case .take: .take(alarm: alarm)
    case .resolve(_, let reason): .resolve(alarm: alarm, reason: reason)
    case .note: self
    }
  }
}

extension RacePlan {
  /// Another one for each plan from which other alarms may follow, in a diary that has one table of
  /// teams.
  public var mark: String {
    guard let course else { return sha256("no course") }
    var text = "\(course.points) \(course.errorMillimetres) \(course.limits)"
    for place in course.places { text += " \(place.name) \(place.place)" }
    text += course.text(of: course.coverage)
    return sha256(text)
  }
}
