import FeatureService
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// Brings what people tell trackers to the table of messages of another server, where these
/// trackers ask, and what became of it back.
struct FollowedMail {
  private let layer: ArcGISConfiguration
  private let features: FeatureServer
  /// One for each tracker: the table is asked for what is its own.
  private var dialogues: [String: ArcGISDialogue] = [:]
  /// When each was asked last, and for the messages of then.
  private var asked: [String: (messages: [Int64], at: Milliseconds)] = [:]

  init(_ layer: ArcGISConfiguration, _ features: FeatureServer) {
    (self.layer, self.features) = (layer, features)
  }

  /// Adds what is missing there, and asks what trackers have fetched.
  ///
  /// - Parameter perform: sends a request, and gives what came back.
  /// - Throws: why nobody can be told anything there.
  mutating func exchange(
    at now: HostTime, _ perform: (HTTPRequest) -> HTTPReply
  ) throws {
    let open = try features.messages().filter { $0.fetched == nil }
    let byDevice = Dictionary(grouping: open, by: \.device)
    asked = asked.filter { byDevice[$0.key] != nil }
    dialogues = dialogues.filter { byDevice[$0.key] != nil }
    for (device, messages) in byDevice.sorted(by: { $0.key < $1.key }) {
      let messages = messages.suffix(Bounds.followedMessages)
      // A team waits for an answer to its emergency; a message is fetched some time.
      let isUrgent = messages.contains { $0.kind != .message }
      if let last = asked[device], last.messages == messages.map(\.number),
        !isUrgent, now.uptime - last.at < .seconds(Bounds.followBelowSeconds)
      {
        continue
      }
      try exchange(Array(messages), device, at: now, perform)
      asked[device] = (messages.map(\.number), now.uptime)
    }
  }

  private mutating func exchange(
    _ messages: [TrackerMessage], _ device: String, at now: HostTime,
    _ perform: (HTTPRequest) -> HTTPReply
  ) throws {
    var there = try rows(of: device, at: now, perform)
    for message in messages {
      if !there.contains(where: message.isSame) {
        let number = (there.map(\.number).max() ?? 0) + 1
        _ = try ask(device, at: now, perform) { $0.add(ServedMessage(message, number), at: $1) }
        there = try rows(of: device, at: now, perform)
      }
      guard let row = there.first(where: message.isSame) else {
        throw FollowedMailError(FollowedMailPhrase.refused.texts(layer.address.layer))
      }
      if row.isConfirmed { try features.noteFetched(message, at: now.utc) }
    }
  }

  private mutating func rows(
    of device: String, at now: HostTime, _ perform: (HTTPRequest) -> HTTPReply
  ) throws -> [ServedMessage] {
    let question = MailQuestion(device: UniqueID(high: 0, low: 0), after: 0)
    switch try ask(device, at: now, perform, { $0.fetch(question, at: $1) }) {
    case .fetched(let rows): return rows
    case .confirmed, .unsupported, .failed:
      throw FollowedMailError(FollowedMailPhrase.noTable.texts(layer.address.layer))
    }
  }

  private mutating func ask(
    _ device: String, at now: HostTime, _ perform: (HTTPRequest) -> HTTPReply,
    _ begin: (inout ArcGISDialogue, UTC) -> UplinkStep
  ) throws -> MailOutcome {
    var layer = layer
    layer.deviceCode = device
    var dialogue = try dialogues[device] ?? ArcGISDialogue(layer)
    var step = begin(&dialogue, now.utc)
    while case .send(let request) = step { step = dialogue.receive(perform(request), at: now.utc) }
    dialogues[device] = dialogue
    guard case .done(let result) = step, case .mail(let outcome) = result.outcome else {
      return .failed(status: 0)
    }
    return outcome
  }
}

extension TrackerMessage {
  /// Whether a row of another server is this message: its number may be another one there.
  fileprivate func isSame(_ row: ServedMessage) -> Bool {
    row.kind.rawValue == kind.rawValue && author.hasPrefix(row.author) && row.created == created
      && row.sequence == sequence
  }
}

extension ServedMessage {
  fileprivate init(_ message: TrackerMessage, _ number: UInt32) {
    let kind: Kind =
      switch message.kind {
      case .read: .read
      case .ended: .ended
      case .message: .message
      case .order: .order
      }
    self.init(
      object: 0, number: number, kind: kind, text: message.text, author: message.author,
      created: message.created, sequence: message.sequence)
    expires = message.expires
    capture = message.capture.flatMap { UniqueID(text: $0) }
  }
}

struct FollowedMailError: Error, Worded {
  let texts: Texts
  fileprivate init(_ texts: Texts) { self.texts = texts }
}

private enum FollowedMailPhrase: Catalogue {
  case noTable, refused

  var texts: Texts {
    switch self {
    case .noTable:
      Texts(
        ca: "{1}: no s'arriba a la seva taula Missatges; els rastrejadors no saben què se'ls diu",
        es: "{1}: no se llega a su tabla Missatges; los rastreadores no saben lo que se les dice",
        en: "{1}: its table Missatges is not reached; trackers are not told what you tell them",
        fr: "{1} : sa table Missatges n'est pas atteinte ; les traceurs n'apprennent rien de vous")
    case .refused:
      Texts(
        ca: "{1}: la taula Missatges no accepta files d'aquest usuari; doneu-li Create",
        es: "{1}: la tabla Missatges no acepta filas de este usuario; déle Create",
        en: "{1}: its table Missatges takes no rows of this user; grant it Create",
        fr:
          "{1} : la table Missatges n'accepte pas de lignes de cet utilisateur ; donnez-lui Create")
    }
  }
}
