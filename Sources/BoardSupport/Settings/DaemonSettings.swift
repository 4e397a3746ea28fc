public import TrackerCore
import Wording

/// The settings that the core does not have: paths and ports of this machine, and the server.
public struct DaemonSettings: Sendable {
  /// The queue of captures.
  public var store: FileNode
  /// The Unix socket for `trackerctl`; `nil`: none.
  public var control: FileNode?
  /// The secrets file; `nil`: there is none.
  public var secrets: FileNode?
  /// The course; `nil`: there is none.
  public var course: FileNode?
  public var server: ServerSettings
  /// Used instead of the board's port.
  public var receiverPort: FileNode?
  public var modemPort: FileNode?
  /// How long a burst from the receiver may gather before it is read.
  public var gathering: Milliseconds
  public var network: NetworkSettings
  public var clock: ClockUse
  public var console: ConsoleUse

  /// Reads a daemon's settings from a configuration file. The core's settings are not read here.
  ///
  /// - Throws: for the first thing that is missing or impossible.
  public init(_ root: FileNode) throws(FileError) {
    store = try root.required("store", like: "\"/var/lib/trailtracker/captures.db\"")
    _ = try store.path()
    control = root.optional(Settings.control)
    secrets = root.optional(Settings.secrets)
    course = root.optional(Settings.course)
    receiverPort = root.optional(Settings.receiverPort)
    modemPort = root.optional(Settings.modemPort)
    let paths = [
      (control, "/run/trailtracker/control"), (secrets, "/etc/trailtracker/secrets.json5"),
      (course, "/etc/trailtracker/course.geojson"), (receiverPort, "/dev/ttyUSB0"),
      (modemPort, "/dev/ttyUSB2"),
    ]
    for (node, example) in paths { _ = try node?.path(like: example) }
    gathering =
      try root.optional(Settings.gathering)?.duration(Settings.gathering)
      ?? Settings.usualGathering
    server = try ServerSettings(try root.required("server", like: "{ kind: \"arcgis\", … }"))
    network = try NetworkSettings(root.optional("network"))
    clock = try root.optional(Settings.clock)?.choice(ClockUse.words) ?? .leave
    console = try root.optional(Settings.console)?.choice(ConsoleUse.words) ?? .full
  }
}

/// What `trackerctl console` may do.
public enum ConsoleUse: Sendable, Equatable {
  case full
  case readOnly
  /// Orders need the secrets file's `consolePin`.
  case pin
  case off

  static let words: [(word: String, choice: ConsoleUse)] = [
    ("full", .full), ("readOnly", .readOnly), ("pin", .pin), ("off", .off),
  ]
}

/// What is done with the machine's date when the receiver's is trusted.
public enum ClockUse: Sendable, Equatable {
  case leave
  /// It is set when nothing else keeps it.
  case set
  /// chrony, which keeps it, is fed with the receiver's time.
  case chrony

  static let words: [(word: String, choice: ClockUse)] = [
    ("leave", .leave), ("set", .set), ("chrony", .chrony),
  ]
}

/// The server that captures are sent to.
public struct ServerSettings: Sendable {
  public enum Kind: Sendable, Equatable {
    case arcGIS, osmAnd, ownTracks, json, mqtt
  }

  static let kinds: [(word: String, choice: Kind)] = [
    ("arcgis", .arcGIS), ("osmand", .osmAnd), ("owntracks", .ownTracks), ("json", .json),
    ("mqtt", .mqtt),
  ]

  static let acknowledgers: [(word: String, choice: Bool)] = [
    ("receiver", false), ("broker", true),
  ]

  public var kind: Kind
  /// The address, as a node for errors about it.
  public var address: FileNode
  public var user: String?
  /// Whether a broker's word counts, without a receiver's.
  public var trustsBroker = false
  public var clientID: String?
  public var tokenAddress: FileNode?
  /// The device's name on the server; `nil`: its identifier.
  public var deviceCode: String?
  public var messages = Table.next
  public var notes = Table.next
  public var history = Table.next
  /// The layer's attribute for each field; `nil`: the field is not sent.
  public var fields: [(name: Field, value: String?)] = []

  /// Where a table beside the layer is.
  public enum Table: Sendable {
    /// Of messages at the layer's next number, of notes and histories at those after that, if it is
    /// there.
    case next
    case number(UInt32)
    /// At another address, as a node for errors about it.
    case address(FileNode)
    case none
  }

  /// A field of a capture for a layer.
  public enum Field: String, Sendable, CaseIterable {
    case device, team, battery, time, kind, identifier, sequence, nextContact, silence
    case done, toGo, place, trigger, accuracy

    /// The layer's attribute that is used, if there is one, where the settings name none.
    public var usualName: String? {
      switch self {
      case .nextContact: "ProperContacte"
      case .silence: "Silenci"
      case .sequence: "Ordre"
      case .done: "Fets"
      case .toGo: "PerFer"
      case .place: "Lloc"
      case .trigger: "Motiu"
      case .accuracy: "Precisio"
      case .device, .team, .battery, .time, .kind, .identifier: nil
      }
    }

    var meaning: String {
      switch self {
      case .device: "the tracker's name"
      case .team: "the team's name"
      case .battery: "the battery level in percent"
      case .time: "the time of the capture"
      case .kind: "the kind of system: trailtracker"
      case .identifier: "the capture's identifier"
      case .sequence: "the capture's sequence number"
      case .nextContact: "the latest time of the next contact"
      case .silence: "why the tracker will be silent"
      case .done: "the metres done along the course"
      case .toGo: "the metres to go on the course"
      case .place: "the name of the course's place that it is at"
      case .trigger: "why the capture was taken"
      case .accuracy: "how far the position may be off, in metres"
      }
    }
  }

  init(_ node: FileNode) throws(FileError) {
    // mayActFor is read with the configuration, for the simulator too.
    try node.checkKeys(of: "server")
    kind = try node.optional(Settings.kind)?.choice(Self.kinds) ?? .arcGIS
    address = try node.required(
      "address", like: "\"https://host/arcgis/rest/services/TrailWalker/FeatureServer/0\"")
    _ = try address.path()
    user = try node.optional(Settings.user)?.text(atMost: 200, like: "tracker7")
    clientID = try node.optional(Settings.clientID)?.text(atMost: 200, like: "oxfam")
    tokenAddress = node.optional(Settings.tokenAddress)
    if let tokenAddress { _ = try tokenAddress.path() }
    deviceCode = try node.optional(Settings.serverDevice)?.text(atMost: 60, like: "team-7")
    if kind == .ownTracks, user == nil {
      throw node.error(
        "has no user, which OwnTracks requires; add for example user: \"t7\"")
    }
    if let word = node.optional(Settings.acknowledgedBy) {
      trustsBroker = try word.choice(Self.acknowledgers)
    }
    if let table = node.optional(Settings.messages) {
      guard kind == .arcGIS else { throw table.error("belongs to kind \"arcgis\"; remove it") }
      messages = try Self.table(table)
    }
    if let table = node.optional(Settings.notes) {
      guard kind == .arcGIS else { throw table.error("belongs to kind \"arcgis\"; remove it") }
      notes = try Self.table(table)
    }
    if let table = node.optional(Settings.history) {
      guard kind == .arcGIS else { throw table.error("belongs to kind \"arcgis\"; remove it") }
      history = try Self.table(table)
    }
    guard let fields = node.optional("fields") else { return }
    guard kind == .arcGIS else { throw fields.error("belongs to kind \"arcgis\"; remove it") }
    try fields.checkKeys(of: "server.fields")
    for field in Field.allCases {
      guard let entry = fields.optional(field.rawValue) else { continue }
      if case .boolean(false) = entry.value {
        self.fields.append((field, nil))
      } else {
        self.fields.append((field, try entry.text(atMost: 60, like: "Equip")))
      }
    }
  }
}

extension ServerSettings {
  private static func table(_ node: FileNode) throws(FileError) -> Table {
    switch node.value {
    case .boolean(false): return .none
    case .text:
      _ = try node.path(like: "https://host/arcgis/rest/services/TrailWalker/FeatureServer/1")
      return .address(node)
    default: return .number(try node.integer(in: 0...1_000_000, "or false, or a URL"))
    }
  }
}

/// How to reach the server.
public struct NetworkSettings: Sendable {
  /// The interface that carries the data, for example `wwan0`; `nil`: any.
  public var interface: String?
  /// A file of CA certificates to trust instead of the system's.
  public var authorities: String?
  public var proxy: String?
  /// The name of a CA certificate in the modem's files, to trust with `bearer: "modem"`.
  public var modemAuthority: String?
  /// Commands that bring the interface up and take it down, split into words.
  public var up: [String] = []
  public var down: [String] = []

  init(_ node: FileNode?) throws(FileError) {
    guard let node else { return }
    try node.checkKeys(of: "network")
    interface = try node.optional(Settings.interface)?.text(atMost: 15, like: "wwan0")
    authorities = try node.optional(Settings.authorities)?.path()
    proxy = try node.optional(Settings.proxy)?.text(atMost: 200, like: "http://10.0.0.1:3128")
    modemAuthority = try node.optional(Settings.modemAuthority)?.text(atMost: 60, like: "ca.pem")
    up = try Self.words(node.optional(Settings.up))
    down = try Self.words(node.optional(Settings.down))
    if interface == nil, let node = node.optional(Settings.up) ?? node.optional(Settings.down) {
      throw node.error("needs the interface that it is for; add for example interface: \"ppp0\"")
    }
  }

  private static func words(_ node: FileNode?) throws(FileError) -> [String] {
    guard let node else { return [] }
    var words: [String] = []
    for element in try node.elements(atMost: 30) {
      words.append(try element.text(atMost: 200, like: "pppd"))
    }
    return words
  }
}

extension Language {
  /// The languages of status and reasons, by ISO 639-1 code.
  static let words: [(word: String, choice: Language)] = [
    ("ca", .catalan), ("es", .spanish), ("en", .english), ("fr", .french),
  ]
}

extension FileNode {
  /// A path or an address.
  ///
  /// - Parameter example: for the error.
  public func path(
    like example: String = "/var/lib/trailtracker/captures.db"
  ) throws(FileError) -> String {
    try text(atMost: 1000, like: example)
  }
}

extension DaemonSettings {
  /// Checks that a broker can be reached the way the settings say.
  public func checkBroker(_ bearer: Bearer) throws(FileError) {
    guard server.kind == .mqtt else {
      guard !server.trustsBroker else {
        throw server.address.error("is no broker's; remove acknowledgedBy, or write kind: \"mqtt\"")
      }
      return
    }
    guard bearer != .modem else {
      throw server.address.error(
        "a modem's own HTTP cannot reach a broker; write bearer: \"interface\", or another kind")
    }
    guard network.proxy == nil else {
      throw server.address.error("is not reached through network.proxy; remove that")
    }
  }

  /// Checks that a modem that speaks TLS itself has a certificate to trust.
  public func checkTrust(of bearer: Bearer) throws(FileError) {
    guard bearer == .modem, network.modemAuthority == nil,
      try server.address.path().lowercased().hasPrefix("https://")
    else { return }
    throw server.address.error(
      "bearer \"modem\" needs a certificate to trust; add "
        + "network: { modemAuthority: \"ca.pem\" }, a file in the modem's storage")
  }
}
