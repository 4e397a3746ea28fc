import JSONReading
import TrackerCore
import Wording

/// What people tell a tracker in the answers to its captures: servers that only take positions
/// have no table to ask. No such server learns what became of it.
///
/// A JSON server answers a request with
///
///     { "messages": [
///       { "number": 4,                          counts up for each tracker, from 1; required
///         "kind": "read",                       read, ended, message, order; required
///         "text": "som amb ells", "by": "Marta",
///         "created": "2026-11-21T08:05:09Z",    else when it came
///         "until": "2026-11-21T10:05:09Z",      an order is not wanted after that
///         "sequence": 17,                       of read and ended: the newest capture of the
///         "capture": "…" } ] }                  emergency that the person saw; its UUID
///
/// OwnTracks has commands for the device: `{"_type": "cmd", "action": "reportLocation"}` is the
/// order `capture`, `{"_type": "cmd", "action": "action", "content": "…"}` a message (OwnTracks
/// booklet, "JSON"). It has none that says that somebody has read an emergency.
struct CarriedMail: Sendable, Equatable {
  private enum Item: Sendable, Equatable {
    case message(ServedMessage)
    /// It has no number of its own.
    case command(ServedMessage.Kind, String, at: UTC)
  }

  private var items: [Item] = []

  /// Takes what an answer carries; what is no message is passed over.
  mutating func take(
    _ body: [UInt8], from format: PostingConfiguration.Format, at now: UTC
  ) {
    // Most are empty.
    guard body.count > 2, let answer = try? JSONValue(parsing: body) else { return }
    switch format {
    case .osmAnd: return
    case .json:
      guard case .object(let members) = answer else { return }
      items += ServedMessage.list(members, at: now).map { .message($0) }
    case .mqtt:
      guard case .list(let words) = answer else { return }
      let messages = words.compactMap { CaptureAcknowledgement($0, at: now)?.messages }.joined()
      // Each acknowledgement has those that the tracker may lack.
      for message in messages where !items.contains(.message(message)) {
        items.append(.message(message))
      }
    case .ownTracks:
      let list = if case .list(let list) = answer { list } else { [answer] }
      items += list.compactMap { Self.command($0, at: now) }
    }
    items = items.suffix(UplinkBounds.mailRows)
  }

  /// The messages since the last call, without those that the tracker has.
  mutating func takeAll(after number: UInt32) -> [ServedMessage] {
    defer { items = [] }
    var last = number
    return items.compactMap { item in
      switch item {
      case .message(let message):
        return message.number > number ? message : nil
      case .command(let kind, let text, let at):
        guard last < .max else { return nil }
        last += 1
        return ServedMessage(
          object: Int64(last), number: last, kind: kind, text: text, author: "OwnTracks",
          created: at)
      }
    }
  }

  private static func command(_ value: JSONValue, at now: UTC) -> Item? {
    guard case .object(let members) = value, members["_type"]?.string == "cmd" else { return nil }
    switch members["action"]?.string {
    case "reportLocation": return .command(.order, "capture", at: now)
    case "action":
      let text = ServedMessage.line(
        members["content"]?.string, atMost: UplinkBounds.messageScalars)
      return text.isEmpty ? nil : .command(.message, text, at: now)
    default: return nil
    }
  }
}

extension ServedMessage {
  /// What an answer's `messages` has.
  static func list(_ members: [String: JSONValue], at now: UTC) -> [ServedMessage] {
    guard case .list(let list)? = members["messages"] else { return [] }
    return list.compactMap { ServedMessage($0, at: now) }
  }

  /// As a JSON server writes it.
  func write(to text: inout JSONText) {
    text.object { text in
      text.add("number", Int64(number))
      text.add("kind", kind.rawValue)
      text.add("text", self.text)
      text.add("by", author)
      for (name, date) in [("created", created), ("until", expires)] {
        if let date = date.flatMap({ HTTPDate.iso8601($0) }) { text.add(name, date) }
      }
      if let sequence { text.add("sequence", Int64(sequence)) }
      if let capture { text.add("capture", capture.lowercaseText) }
    }
  }

  /// - Returns: `nil`: it is no message.
  fileprivate init?(_ value: JSONValue, at now: UTC) {
    guard case .object(let members) = value,
      let number = members["number"]?.wholeNumber.flatMap({ UInt32(exactly: $0) }), number > 0,
      let kind = members["kind"]?.string.flatMap({ Kind(rawValue: $0) })
    else { return nil }
    func date(_ name: String) -> UTC? {
      members[name]?.string.flatMap { HTTPDate.parse(iso8601: $0) }
    }
    self.init(
      object: Int64(number), number: number, kind: kind,
      text: Self.line(members["text"]?.string, atMost: UplinkBounds.messageScalars),
      author: Self.line(members["by"]?.string, atMost: UplinkBounds.authorScalars),
      created: date("created") ?? now)
    expires = date("until")
    guard kind == .read || kind == .ended else { return }
    sequence = members["sequence"]?.wholeNumber.flatMap { UInt32(exactly: $0) }
    capture = members["capture"]?.string.flatMap { UniqueID(text: $0) }
  }
}

extension JSONValue {
  fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }
}
