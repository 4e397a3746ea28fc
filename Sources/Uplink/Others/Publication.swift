import JSONReading
public import TrackerCore

/// Captures for a topic of an MQTT broker: what a request has instead of a body.
///
/// Each is a message of its own, an OwnTracks `location` (OwnTracks booklet, "JSON") with the
/// members of `CaptureJSON` beside it, on `owntracks/USER/DEVICE`.
public struct Publication: Sendable, Equatable {
  public struct Message: Sendable, Equatable {
    /// Of the capture.
    public var id: UniqueID
    public var payload: [UInt8]

    public init(id: UniqueID, payload: [UInt8]) { (self.id, self.payload) = (id, payload) }
  }

  /// Whose word it takes for a delivered capture.
  public enum Acknowledger: String, Sendable, Equatable, CaseIterable {
    /// Whoever stores captures says so on `TOPIC/ack`, when they are on disk.
    case receiver
    /// The broker has it, and perhaps in its memory only.
    case broker
  }

  /// The client's identifier, which the broker knows its session by.
  public var client: String
  public var user: String?
  public var password: Secret?
  public var topic: String
  public var acknowledger: Acknowledger
  public var messages: [Message]

  /// Where the receiver answers.
  public var answers: String { Self.answers(to: topic) }

  public static func answers(to topic: String) -> String { topic + "/ack" }

  public init(
    client: String, user: String? = nil, password: Secret? = nil, topic: String,
    acknowledger: Acknowledger = .receiver, messages: [Message]
  ) {
    (self.client, self.user, self.password) = (client, user, password)
    (self.topic, self.acknowledger, self.messages) = (topic, acknowledger, messages)
  }

  /// Whether a text can be one level of a topic (MQTT 5 §4.7).
  public static func isLevel(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200
      && text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && !"/+#".unicodeScalars.contains($0)
      }
  }
}

/// What a receiver says on `TOPIC/ack` when captures are on disk:
///
///     { "_type": "ack",
///       "ids": ["…"],           the captures' UUIDs: they are stored, or were already
///       "refused": ["…"],       those that it will never store
///       "messages": [ … ] }     what people tell the tracker, as JSON servers do (`CarriedMail`)
public struct CaptureAcknowledgement: Sendable, Equatable {
  public var ids: [UniqueID] = []
  public var refused: [UniqueID] = []
  public var messages: [ServedMessage] = []

  public init(ids: [UniqueID]) { self.ids = ids }

  public var payload: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.add("_type", "ack")
      text.key("ids")
      text.array { text in for id in ids { text.string(id.lowercaseText) } }
      if !refused.isEmpty {
        text.key("refused")
        text.array { text in for id in refused { text.string(id.lowercaseText) } }
      }
      if !messages.isEmpty {
        text.key("messages")
        text.array { text in for message in messages { message.write(to: &text) } }
      }
    }
    return text.bytes
  }

  /// - Returns: `nil` if it is none.
  init?(_ value: JSONValue, at now: UTC) {
    guard case .object(let members) = value, case .text("ack")? = members["_type"] else {
      return nil
    }
    func ids(_ name: String) -> [UniqueID] {
      guard case .list(let list)? = members[name] else { return [] }
      return list.compactMap { if case .text(let text) = $0 { UniqueID(text: text) } else { nil } }
    }
    self.ids = ids("ids")
    refused = ids("refused")
    messages = ServedMessage.list(members, at: now)
  }
}

/// What has come of a publication so far.
public struct PublicationProgress: Sendable, Equatable {
  private let acknowledger: Publication.Acknowledger
  private let ids: [UniqueID]
  private var open: Set<UniqueID>
  /// What was said, each a JSON object.
  private var said: [[UInt8]] = []

  public init(_ publication: Publication) {
    acknowledger = publication.acknowledger
    ids = publication.messages.map(\.id)
    open = Set(ids)
  }

  public var isComplete: Bool { open.isEmpty }
  public var hasSome: Bool { open.count < Set(ids).count }

  /// The receiver has said something.
  ///
  /// - Returns: whether it is an acknowledgement of any of these captures.
  @discardableResult public mutating func take(_ payload: [UInt8]) -> Bool {
    guard let value = try? JSONValue(parsing: payload),
      let word = CaptureAcknowledgement(value, at: UTC(milliseconds: 0))
    else { return false }
    let before = open.count
    open.subtract(word.ids + word.refused)
    guard open.count < before || !word.messages.isEmpty else { return false }
    said.append(payload)
    return open.count < before
  }

  /// The broker has taken the message at this place.
  public mutating func brokerTook(_ place: Int) {
    guard acknowledger == .broker, ids.indices.contains(place) else { return }
    open.remove(ids[place])
  }

  /// As a web server would have answered: with all that was said.
  public var reply: HTTPReply {
    var words = said
    if acknowledger == .broker {
      words = [CaptureAcknowledgement(ids: ids.filter { !open.contains($0) }).payload]
    }
    let body =
      [UInt8(ascii: "[")] + words.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    return .response(status: 200, headers: [], body: body)
  }
}

/// The address of a broker: `mqtts://host:8883`, or `mqtt://host:1883`.
public struct BrokerAddress: Sendable, Equatable, CustomStringConvertible {
  public let host: String
  public let port: UInt16
  public let isEncrypted: Bool

  /// - Parameter hasPassword: whether a password is sent to it.
  /// - Throws: if it cannot be used.
  public init(_ text: String, hasPassword: Bool) throws(AddressError) {
    try LayerAddress.checkCharacters(text)
    let lower = text.lowercased()
    isEncrypted = lower.hasPrefix("mqtts://")
    guard isEncrypted || lower.hasPrefix("mqtt://") else {
      throw LayerAddress.error(text, "has no scheme of MQTT", "write it as in mqtts://host:8883")
    }
    var authority = text[...].drop { $0 != ":" }.dropFirst(3)
    if authority.hasSuffix("/") { authority = authority.dropLast() }
    guard !authority.contains("@") else {
      throw AddressError(
        description: "server address: contains a user name or password;"
          + " move them to the secrets file")
    }
    guard !authority.contains(where: { "/?#".contains($0) }) else {
      throw LayerAddress.error(text, "has a path", "end it after host and port")
    }
    let isNumber = authority.hasPrefix("[")
    let name =
      isNumber ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    let rest = authority.dropFirst(name.count + (isNumber ? 2 : 0))
    let number = rest.isEmpty ? (isEncrypted ? 8883 : 1883) : UInt16(rest.dropFirst()) ?? 0
    guard !name.isEmpty, number > 0, !isNumber || authority.contains("]"),
      rest.isEmpty || rest.first == ":"
    else {
      throw LayerAddress.error(text, "has no host and port", "write it as in mqtts://host:8883")
    }
    guard !hasPassword || isEncrypted || LayerAddress.isThisMachine(text) else {
      throw LayerAddress.error(text, "would send credentials unencrypted", "use mqtts://")
    }
    (host, port) = (String(name), number)
  }

  public var description: String {
    "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
