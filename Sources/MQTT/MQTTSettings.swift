public import TrackerCore
public import Uplink

/// How to connect to a broker, with MQTT 5. A certificate is always verified.
public struct MQTTSettings: Sendable, Equatable {
  public var broker: BrokerAddress
  /// The identifier by which the broker knows the session.
  public var client: String
  public var user: String?
  public var password: Secret?
  /// A file of CA certificates (PEM) to trust instead of the system's.
  public var authoritiesFile: String?
  /// Subscribed to with QoS 1 before anything else.
  public var topics: [String]
  /// How long the broker keeps the session, and what comes meanwhile, after a connection has ended;
  /// it begins with what is there.
  public var sessionExpiry = Milliseconds.hours(24)

  public init(_ broker: BrokerAddress, client: String, topics: [String]) {
    (self.broker, self.client, self.topics) = (broker, client, topics)
  }
}

/// What has happened on a connection.
public enum MQTTEvent: Sendable, Equatable {
  /// The broker has taken this client and its subscriptions.
  case ready
  case message(topic: String, payload: [UInt8])
  /// The broker's answer (PUBACK) to what was published under this number: a reason code (MQTT 5
  /// §3.4.2.1).
  case published(Int, reason: UInt8)
  /// Nothing comes after it. The status is the one that a web server would have answered, where the
  /// broker has refused the client.
  case ended(HTTPError, status: Int32?)
}

/// The bounds of this module, each with its reason.
public enum MQTTBounds {
  /// A message that is longer does not come: the longest, an acknowledgement of
  /// `acknowledgedAtOnce`, has half of it.
  static let packetBytes: UInt32 = 64 << 10
  /// Captures in one acknowledgement, 39 bytes each.
  public static let acknowledgedAtOnce = 500
  /// Messages that the broker may send without an answer: as many as fit into the inbox.
  static let receiveMaximum: Int32 = 1000
  /// Events that wait to be taken; then nothing more is read, and the broker has to wait.
  static let waitingEvents = 2000
  /// Threads at once: a connect that hangs, after its connection was given up, lasts two minutes.
  static let threads = 32
  /// Without anything else, client and broker show each other this often that they are there.
  static let keepAliveSeconds: Int32 = 45
  /// How often libmosquitto looks at the time.
  static let lookMilliseconds: Int64 = 1000
}
