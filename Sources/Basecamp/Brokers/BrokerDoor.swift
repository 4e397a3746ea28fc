import Digests
import FeatureService
import MQTT
import SystemCalls
import TrackerCore
public import Uplink
import Wording

/// A broker on which trackers publish their captures.
public struct BrokerSettings: Sendable {
  public var address: BrokerAddress
  public var user: String?
  public var password: Secret?
  /// A file of CA certificates (PEM) to trust instead of the system's.
  public var authoritiesFile: String?

  public init(_ address: BrokerAddress) { self.address = address }
}

/// Takes the captures that trackers publish on a broker, as if they had sent them here, and
/// acknowledges them to the trackers when they are on disk: the broker's own acknowledgement says
/// that they are in its memory, and counts for nothing.
///
/// What is not acknowledged is sent again by its tracker, so nothing has to be kept here, and what
/// comes twice is stored once.
final class BrokerDoor: Sendable {
  private let settings: MQTTSettings
  private let features: FeatureServer
  private let ending: Ending
  private let language: Language
  private let say: @Sendable (String) -> Void
  /// Is told what is wrong, and when it is over.
  private let report: @Sendable (String?) -> Void

  /// - Parameters:
  ///   - place: several servers at one place share what is published.
  ///   - listening: where this server listens, which tells it from others of this machine.
  ///   - language: of what it reports.
  ///   - say: is told in one line when trouble begins and ends.
  init(
    _ broker: BrokerSettings, _ place: CampPlace, listening: String, _ features: FeatureServer,
    until ending: Ending, language: Language, say: @escaping @Sendable (String) -> Void,
    report: @escaping @Sendable (String?) -> Void
  ) {
    // Under the same identifier it finds its session again.
    let own = sha256("\(hostName ?? "") \(place.name(.captures)) \(listening)").prefix(20)
    var settings = MQTTSettings(broker.address, client: "bc-\(own)", topics: ["owntracks/+/+"])
    if case .server(let address) = place {
      settings.topics = ["$share/\(address.schema)/owntracks/+/+"]
      // The broker would give a share of it to one that has died, too.
      settings.sessionExpiry = 0
    }
    (settings.user, settings.password) = (broker.user, broker.password)
    settings.authoritiesFile = broker.authoritiesFile
    self.settings = settings
    (self.features, self.ending, self.language) = (features, ending, language)
    (self.say, self.report) = (say, report)
  }

  /// Works until the server ends.
  func run() {
    var news = BrokerNews()
    var problem: Texts?
    var pause = Bounds.brokerPause
    while !ending.isHere {
      let begun = HostTime.now.uptime
      do throws(HTTPError) {
        try serve(MQTTConnection(settings), &news) {
          if problem != nil { say("\(settings.broker) is heard again") }
          problem = nil
          report(nil)
        }
      } catch {
        let new = BrokerPhrase.away.texts(error.texts)
        if problem != new { say(new.english) }
        problem = new
        report(new[language])
      }
      // Two under one identifier take the session from each other: then less and less often.
      if HostTime.now.uptime - begun > Bounds.brokerLongestPause { pause = Bounds.brokerPause }
      ending.wait(pause)
      pause = min(pause + pause, Bounds.brokerLongestPause)
    }
  }

  private func serve(
    _ connection: MQTTConnection, _ news: inout BrokerNews, ready: () -> Void
  ) throws(HTTPError) {
    let begun = HostTime.now.uptime
    var isReady = false
    while !ending.isHere {
      _ = poll(connection.descriptor, atMost: 200)
      var arrived: [(topic: String, payload: [UInt8])] = []
      var end: HTTPError?
      for event in connection.takeEvents() {
        switch event {
        case .ready:
          isReady = true
          ready()
        case .message(let topic, let payload): arrived.append((topic, payload))
        // A tracker that gets no acknowledgement sends its captures again.
        case .published: break
        case .ended(let error, status: _): end = error
        }
      }
      take(arrived, connection, &news)
      if let end { throw end }
      if !isReady, HostTime.now.uptime - begun > Bounds.followConnect {
        throw HTTPError(
          .timedOut, server: settings.broker.description, message: HTTPPhrase.timedOut.texts,
          mayHaveArrived: false)
      }
    }
    connection.close()
  }

  /// Stores what has arrived, some at a time, and says so.
  private func take(
    _ arrived: [(topic: String, payload: [UInt8])], _ connection: MQTTConnection,
    _ news: inout BrokerNews
  ) {
    var rest = arrived[...]
    while !rest.isEmpty {
      let part = rest.prefix(MQTTBounds.acknowledgedAtOnce)
      rest = rest.dropFirst(part.count)
      var captures: [(topic: String, PublishedCapture)] = []
      for (topic, payload) in part {
        if let capture = PublishedCapture(topic: topic, payload: payload) {
          captures.append((topic, capture))
        } else {
          news.count(topic)
        }
      }
      if captures.isEmpty { continue }
      do {
        try store(captures, connection)
        news.stored()
      } catch {
        news.notStored("\(error)")
      }
    }
    for line in news.lines(at: HostTime.now.uptime) { say("\(settings.broker): \(line)") }
  }

  private func store(
    _ captures: [(topic: String, PublishedCapture)], _ connection: MQTTConnection
  ) throws {
    let now = HostTime.now.utc
    var refused: Set<UniqueID> = []
    _ = try features.take(captures.map(\.1.capture), of: nil, at: now) { refused.insert($0) }
    for (topic, captures) in Dictionary(grouping: captures, by: \.topic) {
      let ids = captures.map(\.1.capture.id)
      var word = CaptureAcknowledgement(ids: ids.filter { !refused.contains($0) })
      word.refused = ids.filter { refused.contains($0) }
      if let device = captures.first?.1.capture.device {
        let last = captures.compactMap(\.1.lastMessage).max() ?? 0
        word.messages = try features.letters(to: device, after: last, at: now)
      }
      connection.publish(
        word.payload, on: Publication.answers(to: topic), number: 0,
        expiry: Bounds.acknowledgementExpiry)
    }
  }
}

extension FeatureServer {
  /// The messages that a tracker lacks, the oldest first.
  ///
  /// - Parameter last: the newest that it has; 0: it does not say.
  fileprivate func letters(
    to device: String, after last: Int64, at now: UTC
  ) throws -> [ServedMessage] {
    var waiting: [ServedMessage] = []
    for message in try messages(to: device) where message.fetched == nil {
      guard message.number > last else {
        try noteFetched(message, at: now)
        continue
      }
      if let served = ServedMessage(message) { waiting.append(served) }
    }
    return Array(waiting.prefix(Bounds.lettersAtOnce))
  }
}

extension ServedMessage {
  /// - Returns: `nil` for a number that no tracker could have.
  fileprivate init?(_ message: TrackerMessage) {
    guard let kind = Kind(rawValue: message.kind.rawValue),
      let number = UInt32(exactly: message.number)
    else { return nil }
    self.init(
      object: message.number, number: number, kind: kind, text: message.text,
      author: message.author, created: message.created, sequence: message.sequence)
    capture = message.capture.flatMap { UniqueID(text: $0) }
    expires = message.expires
  }
}

/// What the log is told: how many messages are no captures, once a minute at most, and when
/// captures begin and cease to be stored.
private struct BrokerNews {
  private var waiting: [String] = []
  private var isTroubled = false
  private var number = 0
  private var topic = ""
  private var told: Milliseconds?

  mutating func notStored(_ reason: String) {
    if !isTroubled { waiting.append("captures are not stored, and come again: \(reason)") }
    isTroubled = true
  }

  mutating func stored() {
    if isTroubled { waiting.append("captures are stored again") }
    isTroubled = false
  }

  mutating func count(_ topic: String) {
    number += 1
    self.topic = topic
  }

  mutating func lines(at now: Milliseconds) -> [String] {
    defer { waiting = [] }
    guard number > 0, told.map({ now - $0 >= .minutes(1) }) ?? true else { return waiting }
    defer { (number, told) = (0, now) }
    return waiting + [
      "no captures of trackers, left out: \(number), the last on \(topic.visible.prefix(100))"
    ]
  }
}

private enum BrokerPhrase: Catalogue {
  case away

  var texts: Texts {
    switch self {
    case .away:
      Texts(
        ca: "no s'escolta el broker: {1}", es: "no se escucha el broker: {1}",
        en: "the broker is not heard: {1}", fr: "le broker n'est pas écouté : {1}")
    }
  }
}
