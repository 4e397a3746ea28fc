import Digests
import JSONReading
public import TrackerCore
import Wording

/// One line of the diary: what happened in the control room.
public struct DiaryEntry: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    case arrived(DeliveredCapture)
    case acted(Act, by: String)
    case raised(Alarm)
    /// An alarm's cause is gone.
    case cleared(alarm: Int)
  }

  /// From 1 on.
  public let number: Int
  public let at: UTC
  public let content: Content
  /// A JSON object without its line end.
  public let line: String
  /// SHA-256 of the hash of the entry before, in hexadecimal digits, and of `line`.
  public let hash: String
}

/// Chains entries: whoever changes one, or takes one out, changes the hash of all that follow.
public struct DiaryChain: Sendable, Equatable {
  public private(set) var count = 0
  /// Of the last entry; of the first one's predecessor 64 zeros.
  public private(set) var hash = String(repeating: "0", count: 64)

  public init() {}

  mutating func add(_ content: DiaryEntry.Content, at utc: UTC) -> DiaryEntry {
    let line = DiaryText.line(content, number: count + 1, at: utc)
    return append(content, line, at: utc)
  }

  private mutating func append(
    _ content: DiaryEntry.Content, _ line: String, at utc: UTC
  ) -> DiaryEntry {
    hash = Self.hash(hash, line)
    count += 1
    return DiaryEntry(number: count, at: utc, content: content, line: line, hash: hash)
  }

  /// Takes a line that was kept.
  ///
  /// - Parameter kept: the hash that was kept with it.
  /// - Throws: which line is not the one that was written.
  public mutating func read(_ line: String, hash kept: String) throws(DiaryError) -> DiaryEntry {
    guard Self.hash(hash, line) == kept.lowercased() else {
      throw DiaryError(entry: count + 1, texts: RoomPhrase.changedEntry.texts("\(count + 1)"))
    }
    guard let (at, content) = DiaryText.content(of: line, number: count + 1) else {
      throw DiaryError(entry: count + 1, texts: RoomPhrase.unreadableEntry.texts("\(count + 1)"))
    }
    return append(content, line, at: at)
  }

  private static func hash(_ before: String, _ line: String) -> String {
    sha256(before + line)
  }
}

/// What is wrong with a kept diary, in one line.
public struct DiaryError: Error, Sendable, Equatable, Worded {
  public let entry: Int
  public let texts: Texts
}

extension Room {
  /// The room that a diary tells of: what arrived and what people did, once more, at their times.
  ///
  /// - Parameter entries: as the chain has read them, from the first one on.
  /// - Throws: if the alarms come out otherwise than they are written down: another plan, or
  ///   another version of this program.
  public static func replay(
    _ entries: [DiaryEntry], _ plan: RacePlan
  ) throws(DiaryError) -> Room {
    var room = Room(plan)
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      var arrivals: [DeliveredCapture] = []
      for next in entries[index...] {
        guard case .arrived(let arrival) = next.content, next.at == entry.at else { break }
        arrivals.append(arrival)
      }
      let written: [DiaryEntry]
      switch entry.content {
      case .arrived: written = room.advance(to: entry.at) + room.take(arrivals)
      case .acted(let act, let person):
        do throws(ActError) { written = try room.act(act, by: person, at: entry.at) } catch {
          throw DiaryError(entry: entry.number, texts: error.texts)
        }
      case .raised, .cleared: written = room.advance(to: entry.at)
      }
      let kept = entries[index...].prefix(written.count)
      guard !written.isEmpty, kept.elementsEqual(written, by: { $0.hash == $1.hash }) else {
        throw DiaryError(
          entry: entry.number, texts: RoomPhrase.otherCourse.texts("\(entry.number)"))
      }
      index += written.count
    }
    return room
  }
}

/// Entries as lines of JSON.
private enum DiaryText {
  static func line(_ content: DiaryEntry.Content, number: Int, at utc: UTC) -> String {
    var members: [Figure.Member] = [
      .init("n", .integer(number)), .init("at", .whole(utc.milliseconds)),
    ]
    func add(_ name: String, _ figure: Figure?) {
      if let figure { members.append(.init(name, figure)) }
    }
    switch content {
    case .arrived(let arrival):
      add("kind", .text("arrived"))
      add("stored", .whole(arrival.at.milliseconds))
      add("tracker", .text(arrival.tracker))
      add("team", .text(arrival.team))
      add("id", .text(arrival.id.lowercaseText))
      add("taken", arrival.taken.map { .whole($0.milliseconds) })
      add("latitude", .integer(arrival.position.latitude))
      add("longitude", .integer(arrival.position.longitude))
      add("battery", arrival.batteryPercent.map { .whole(Int64(($0 * 1000).rounded())) })
      add("trigger", arrival.trigger.map { .text("\($0.name)") })
      if arrival.isEmergency { add("emergency", .boolean(true)) }
      add("sequence", arrival.sequence.map { .integer($0) })
      add("promise", arrival.promise.map { .whole($0.milliseconds) })
      add("silence", arrival.silence.text.map { .text($0) })
    case .acted(let act, let person):
      add("kind", .text("acted"))
      add("by", .text(person))
      switch act {
      case .see(let alarm): add("see", .integer(alarm))
      case .take(let alarm): add("take", .integer(alarm))
      case .resolve(let alarm, let reason):
        add("resolve", .integer(alarm))
        add("text", .text(reason))
      case .note(let tracker, let text):
        add("tracker", tracker.map { .text($0) })
        add("text", .text(text))
      }
    case .raised(let alarm):
      add("kind", .text("raised"))
      add("alarm", .integer(alarm.number))
      add("need", .text(alarm.need.name))
      add("since", .whole(alarm.since.milliseconds))
      switch alarm.subject {
      case .tracker(let tracker): add("tracker", .text(tracker))
      case .stretch(let trackers): add("trackers", .list(trackers.map { .text($0) }))
      case .everyone: break
      }
      add("evidence", .text(alarm.evidence.text(in: .english)))
    case .cleared(let alarm):
      add("kind", .text("cleared"))
      add("alarm", .integer(alarm))
    }
    return Figure.object(members).line
  }

  private struct Line: Decodable {
    var n: Int
    var at: Int64
    var kind: String
    var stored: Int64?
    var tracker: String?
    var team: String?
    var id: String?
    var taken: Int64?
    var latitude: Int32?
    var longitude: Int32?
    var battery: Int64?
    var trigger: String?
    var emergency: Bool?
    var sequence: UInt32?
    var promise: Int64?
    var silence: String?
    var by: String?
    var see: Int?
    var take: Int?
    var resolve: Int?
    var text: String?
    var alarm: Int?
  }

  /// - Returns: `nil` if it is not a line that this program writes. Alarms are not read back: they
  ///   follow from the rest.
  static func content(of text: String, number: Int) -> (UTC, DiaryEntry.Content)? {
    guard let line = try? JSONDecoder().decode(Line.self, from: Array(text.utf8)), line.n == number
    else { return nil }
    let at = UTC(milliseconds: line.at)
    switch line.kind {
    case "arrived": return arrival(line).map { (at, .arrived($0)) }
    case "acted":
      guard let by = line.by, let act = act(line) else { return nil }
      return (at, .acted(act, by: by))
    case "raised", "cleared": return line.alarm.map { (at, .cleared(alarm: $0)) }
    default: return nil
    }
  }

  private static func arrival(_ line: Line) -> DeliveredCapture? {
    guard let stored = line.stored, let tracker = line.tracker,
      let id = line.id.flatMap({ UniqueID(text: $0) }), let latitude = line.latitude,
      let longitude = line.longitude
    else { return nil }
    var arrival = DeliveredCapture(
      at: UTC(milliseconds: stored), tracker: tracker, team: line.team ?? "", id: id,
      taken: line.taken.map { UTC(milliseconds: $0) },
      position: Coordinate(latitude: latitude, longitude: longitude))
    arrival.batteryPercent = line.battery.map { Double($0) / 1000 }
    arrival.trigger = line.trigger.flatMap { Trigger(name: Array($0.utf8).span) }
    arrival.isEmergency = line.emergency ?? false
    arrival.sequence = line.sequence
    arrival.promise = line.promise.map { UTC(milliseconds: $0) }
    arrival.silence = PlannedSilence(named: line.silence)
    return arrival
  }

  private static func act(_ line: Line) -> Act? {
    if let alarm = line.see { return .see(alarm: alarm) }
    if let alarm = line.take { return .take(alarm: alarm) }
    if let alarm = line.resolve { return .resolve(alarm: alarm, reason: line.text ?? "") }
    return line.text.map { .note(tracker: line.tracker, text: $0) }
  }
}
