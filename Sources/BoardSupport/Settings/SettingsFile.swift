import JSONReading
public import TrackerCore
import Wording

/// A setting that people can change on a running tracker, by a short name.
public enum SettingKey: String, Sendable, CaseIterable, Codable {
  case interval, policy, every, accuracy, contacts, finish, language, reserve, sleep

  /// The setting of the configuration file that it changes.
  public var setting: Setting {
    switch self {
    case .interval: Settings.captureInterval
    case .policy: Settings.policy
    case .every: Settings.every
    case .accuracy: Settings.accuracy
    case .contacts: Settings.transmitInterval
    case .finish: Settings.finish
    case .language: Settings.language
    case .reserve: Settings.reserve
    case .sleep: Settings.sleep
    }
  }

  /// Its place in the file: `capture.interval`.
  public var path: String { setting.path }

  public init?(path: String) {
    guard let key = Self.allCases.first(where: { $0.path == path }) else { return nil }
    self = key
  }

  /// The text that the program shows for a value, whatever way it was written: `5 min` for
  /// `300 s`.
  ///
  /// - Parameter zone: for dates.
  /// - Throws: if the value is not one of this setting's.
  func text(of node: FileNode, in zone: IANAZone?) throws(FileError) -> String {
    switch setting.form {
    case .quantity(let dimension, let range, let reason):
      return dimension.text(try node.quantity(dimension, in: range, reason))
    case .choice(let words): return try node.choice(words.map { ($0, $0) })
    case .boolean: return "\(try node.boolean())"
    // The finish is the only one.
    case .text: return FileNode.text(of: try node.date(in: zone), in: zone)
    }
  }
}

/// What the control room may be allowed to order.
public enum RemoteVerb: String, Sendable, CaseIterable {
  case capture, call, interval, contacts, finish, start, stop, history

  /// What the tracker is told by the words of an order: `capture`, `start`, `stop`, `call` or `undo
  /// call`; `nil`: they are others.
  public static func command(_ words: [String]) -> Command? {
    switch words {
    case [Self.capture.rawValue]: .captureNow
    case [Self.start.rawValue]: .start
    case [Self.stop.rawValue]: .stop
    case [Self.call.rawValue]: .askForCall
    case ["undo", Self.call.rawValue]: .endCallRequest
    default: nil
    }
  }
}

/// What a person wants instead of the file's value.
public struct OrderedValue: Sendable, Equatable {
  public var key: SettingKey
  /// As written in a file, without quotes.
  var value: String

  public init(_ key: SettingKey, _ value: String) {
    self.key = key
    self.value = value
  }

  /// The place of the value; errors name the command instead of a file.
  var node: FileNode {
    FileNode(
      file: FileNode.File(path: "set \(key.rawValue)", outline: JSONOutline()), place: key.path,
      keyPath: key.path, value: .text(value))
  }
}

/// One key of a configuration file: its possible values and its meaning.
public struct Setting: Sendable {
  public enum Form: Sendable {
    /// A quantity, with its range in the integer unit of its dimension, and the reason for the
    /// range.
    case quantity(Dimension, ClosedRange<Int64>, String)
    case choice([String])
    case boolean
    /// Anything else, described in words.
    case text(String)
  }

  /// Including its section: `transmit.interval`.
  public let path: String
  public let form: Form
  /// The default, as written in a file; empty: none.
  public let standard: String
  let meaning: String

  init(_ path: String, _ form: Form, _ standard: String, _ meaning: String) {
    self.path = path
    self.form = form
    self.standard = standard
    self.meaning = meaning
  }

  init(_ path: String, _ form: Form, _ meaning: String) { self.init(path, form, "", meaning) }

  /// The last part of its path.
  var key: String { String(path.split(separator: ".").last ?? "") }
  /// The path before the key; empty on the first level.
  var section: String { path.split(separator: ".").dropLast().joined(separator: ".") }

  /// A length of time.
  static func duration(
    _ path: String, _ range: ClosedRange<Milliseconds>, _ standard: Milliseconds? = nil,
    because reason: String = "", _ meaning: String
  ) -> Setting {
    let counts = range.lowerBound.count...range.upperBound.count
    return Setting(
      path, .quantity(.duration, counts, reason),
      standard.map { Dimension.duration.text($0.count) } ?? "", meaning)
  }

  static func quantity(
    _ path: String, _ dimension: Dimension, _ range: ClosedRange<Int64>, _ standard: Int32? = nil,
    because reason: String = "", _ meaning: String
  ) -> Setting {
    Setting(
      path, .quantity(dimension, range, reason), standard.map { dimension.text(Int64($0)) } ?? "",
      meaning)
  }
}

extension FileNode {
  /// The member of an object for a setting.
  func optional(_ setting: Setting) -> FileNode? { optional(setting.key) }

  /// A quantity, in the range of its setting.
  func quantity<Number: FixedWidthInteger>(_ setting: Setting) throws(FileError) -> Number {
    guard case .quantity(let dimension, let range, let reason) = setting.form else {
      preconditionFailure("\(setting.path) is not a quantity")
    }
    return Number(try quantity(dimension, in: range, reason) as Int64)
  }

  func duration(_ setting: Setting) throws(FileError) -> Milliseconds {
    Milliseconds(try quantity(setting))
  }

  /// Checks that there are no other keys than those of a section.
  func checkKeys(of section: String) throws(FileError) {
    try checkKeys(Settings.keys(of: section))
  }
}

/// Every key of a configuration file. Files are read using this list, and the reference for people
/// is generated from it.
public enum Settings {
  private static let core = Configuration()

  // MARK: What is captured

  static let team = Setting(
    "team", .text("text, up to 64 bytes"), "Name of the team. trackerctl can change it later.")
  static let policy = Setting(
    "capture.policy", .choice(CapturePolicy.words), "standard",
    """
    When to take a capture. standard: every interval. significant: moved 500 m, 5 min after \
    the last one. proximity: moved 500 m, 2 min after it. route: at the distance capture.every \
    along the way. adaptive: as often as the battery allows until the finish.
    """)
  static let captureInterval = Setting.duration(
    "capture.interval", .seconds(1) ... .hours(24), CapturePolicy.defaults.interval,
    because: "a receiver gives one fix per second",
    "Time between two captures, with standard and adaptive.")
  static let minimumDistance = Setting.quantity(
    "capture.minimumDistance", .distance, 0...100_000,
    CapturePolicy.defaults.minimumDistanceMetres, because: "the race has 100 km",
    "With standard: no capture closer to the last one than this, until the heartbeat.")
  static let heartbeat = Setting.duration(
    "capture.heartbeat", .seconds(1) ... .hours(24), CapturePolicy.defaults.heartbeat,
    because: "not shorter than the interval",
    "With minimumDistance: longest time between two captures. Not shorter than the interval.")
  static let every = Setting.quantity(
    "capture.every", .distance, 1...100_000, because: "the race has 100 km",
    "With route: distance between two captures. Required there.")
  static let accuracy = Setting.quantity(
    "accuracy", .distance, 1...10_000, core.accuracyMetres,
    "A fix whose estimated accuracy is worse is not used.")
  static let maximumSpeed = Setting.quantity(
    "maximumSpeed", .speed, 1...1000, core.maximumSpeedMetresPerSecond,
    "A fix that could only be reached at a higher speed is not used.")
  static let receiver = Setting(
    "receiver", .choice(["always", "dutyCycle"]), "always",
    """
    dutyCycle: the receiver sleeps between captures, if board and policy allow it. A board may \
    have this as its default for policies by time.
    """)
  static let sleep = Setting(
    "sleep", .choice(["never", "halt"]), "never",
    """
    halt: between captures the computer is halted, where that takes less, and its clock wakes \
    it. The board's file says whether it can be woken.
    """)
  static let notBefore = Setting(
    "notBefore", .text("date"), "2026-01-01",
    "A receiver's date before this one is wrong. Detects a GPS week rollover.")

  // MARK: The session

  static let startsBySelf = Setting(
    "startsBySelf", .boolean, "true", "Whether a session begins when the tracker starts.")
  static let finish = Setting(
    "finish", .text("date and time"),
    "When the race ends: the battery has to last until then. Instead: finishAfter.")
  static let finishAfter = Setting.duration(
    "finishAfter", .minutes(1) ... .hours(720), because: "a race, not a season",
    "The same, counted from the first start of the session.")
  static let endAfterFinish = Setting.duration(
    "endAfterFinish", 0 ... .hours(720), core.endAfterFinish, because: "or \"never\"",
    "How long after the finish the session ends by itself; or \"never\".")
  static let timeZone = Setting(
    "timeZone", .text("IANA name, e.g. Europe/Madrid"),
    "Time zone of a finish that has no offset.")
  static let reserve = Setting.quantity(
    "reserve", .percentage, 0...90, core.reservePercent,
    because: "something must be left to spend",
    "Battery level at or below which contacts become rare.")
  static let confidence = Setting.quantity(
    "confidence", .percentage, 50...99, core.confidencePercent,
    because: "less is a gamble, and nobody can be certain",
    "How certain the policy adaptive must be that the battery lasts until the finish.")
  static let device = Setting(
    "device", .text("UUID"),
    "Identifier of this tracker. Without it, one is made once and kept in the store.")

  // MARK: Contacts

  static let transmitInterval = Setting.duration(
    "transmit.interval", .seconds(1) ... .hours(24), core.transmitInterval,
    because: "a receiver gives one fix per second", "Time between two contacts with the server.")
  static let betweenUploads = Setting(
    "transmit.betweenUploads", .choice(["off", "attached"]), "off",
    "attached: the modem stays connected between contacts.")
  static let reconnectFloor = Setting.duration(
    "reconnectFloor", 0 ... .hours(24), core.reconnectFloor,
    "Shortest time between two connections to the network: carriers ban SIMs that reconnect often.")
  static let bearer = Setting(
    "bearer", .choice(["interface", "modem", "none"]), "interface",
    """
    What carries the data. interface: a network interface of the modem's. modem: its own \
    HTTP commands. none: Wi-Fi or Ethernet.
    """)
  static let apn = Setting(
    "apn", .text("text"), "Access point name. Without it, the one stored in the modem.")
  static let textAfter = Setting.duration(
    "textAfter", .hours(1) ... .hours(72), because: "each message costs money",
    "After this time without a delivery the position is sent as a text message.")
  static let textTo = Setting(
    "textTo", .text("telephone number"),
    "Recipient of that message, and of those of an emergency. Required with textAfter.")

  // MARK: Emergencies

  static let emergency = Setting(
    "emergency", .boolean, "true",
    """
    Whether the team can call for help: with the board's emergency button, held for 2 s; without \
    one with its button, held for 6 s; or with the command emergency.
    """)
  static let emergencyInterval = Setting.duration(
    "emergencyInterval", .seconds(10) ... .minutes(30), core.emergencyInterval,
    because: "somebody waits for help", "Time between two captures while an emergency stands.")

  // MARK: The control room

  static let remote = Setting(
    "remote", .text("list of words"),
    """
    What the control room may order over the server: \
    \(RemoteVerb.allCases.map(\.rawValue).joined(separator: ", ")). Without it nothing.
    """)
  static let remoteLimit = Setting.duration(
    "remoteLimit", .minutes(5) ... .hours(24), core.remoteLimit,
    because: "no server may silence a tracker for long",
    """
    Longest interval and time between contacts that the control room may order, and the longest \
    stop.
    """)
}

/// A configuration file, to be read with other values in some of its places.
///
/// A class only so that copies share it: the compiler copies a struct part by part wherever it is
/// stored or passed on.
public final class SettingsFile: Sendable {
  private let root: FileNode
  /// For its defaults; `nil`: the core's.
  private let board: BoardDescription?
  /// The file as it is.
  public let plain: SettingsReading

  /// - Throws: for the first mistake in the file, except in the daemon's own settings.
  public init(_ root: FileNode, on board: BoardDescription? = nil) throws(FileError) {
    plain = try SettingsReading(root, on: board)
    self.root = root
    self.board = board
  }

  /// A file without any settings.
  public init() {
    root = MergedFile().root(path: "")
    board = nil
    plain = SettingsReading(of: root)
  }

  /// The settings with some values replaced.
  ///
  /// Members of `capture` that do not belong to the policy in force have no effect: an ordered
  /// policy takes the place of the file's with all that belongs to it. An ordered finish takes the
  /// place of `finish` and of `finishAfter`.
  ///
  /// - Parameters:
  ///   - orders: at most one for each key.
  ///   - new: the one that is being given. It must belong to the policy, except `every`, which the
  ///     policy `route` needs first.
  /// - Throws: if the values are impossible, or impossible together with the file.
  public func reading(
    _ orders: [OrderedValue], giving new: SettingKey? = nil
  ) throws(FileError) -> SettingsReading {
    if orders.isEmpty { return plain }
    for order in orders { _ = try text(of: order) }
    return try SettingsReading(merged(orders, giving: new), on: board)
  }

  /// The text that the program shows for an ordered value.
  ///
  /// - Throws: if it is not one of the setting's.
  public func text(of order: OrderedValue) throws(FileError) -> String {
    try order.key.text(of: order.node, in: plain.zone)
  }

  /// The value that the file has for a setting; empty: none. If it changes, the file was edited.
  public func written(_ key: SettingKey) -> String { plain.written(key) ?? "" }

  private func merged(_ orders: [OrderedValue], giving new: SettingKey?) -> FileNode {
    let policy =
      orders.first { $0.key == .policy }?.value ?? plain.text(of: .policy) ?? ""
    // In errors about `capture` as a whole, the first one stands for the section.
    let sorted = orders.filter { $0.key == .policy } + orders.filter { $0.key != .policy }
    let used = sorted.filter {
      CapturePolicy.takes(policy, $0.key.path) || $0.key == new && new != .every
    }
    var file = MergedFile()
    for order in used {
      let section = order.key.setting.section
      file.put(order.node, at: order.key.setting.key, in: section.isEmpty ? nil : section)
    }
    for (key, node) in root.children {
      switch key {
      case Settings.finishAfter.key where orders.contains { $0.key == .finish }: continue
      case "capture":
        for (inner, child) in node.children
        where CapturePolicy.takes(policy, child.keyPath)
          && !used.contains(where: { $0.key.path == child.keyPath })
        {
          file.put(child, at: inner, in: key)
        }
      default: file.put(node, at: key)
      }
    }
    let changesCapture = used.contains { $0.key.setting.section == "capture" }
    if changesCapture, root.optional("capture") == nil, !used.contains(where: { $0.key == .policy })
    {
      file.put(
        OrderedValue(.policy, policy).node, at: Settings.policy.key, in: Settings.policy.section)
    }
    return file.root(path: root.file.path)
  }
}

/// What a configuration file says, except the daemon's paths, ports and server. A class for the
/// same reason.
public final class SettingsReading: Sendable {
  public let core: ConfigurationFile
  /// `nil`: not given.
  public var language: Language? { core.language }
  /// For dates without an offset.
  let zone: IANAZone?
  private let root: FileNode

  fileprivate init(of root: FileNode) {
    self.root = root
    core = ConfigurationFile()
    zone = nil
  }

  fileprivate init(_ root: FileNode, on board: BoardDescription?) throws(FileError) {
    var core = try ConfigurationFile(root)
    if let board {
      core.adoptDefaults(of: board)
      if let node = root.optional(Settings.sleep), let problem = core.sleepProblem(on: board) {
        throw node.error(problem)
      }
    }
    zone = try root.optional(Settings.timeZone).map { node throws(FileError) in
      try node.timeZone()
    }
    self.core = core
    self.root = root
  }

  /// The value of a setting, which may be its default; `nil`: it has none, or it does not belong to
  /// the policy. A finish that counts from the start is `after 24 h`.
  public func text(of key: SettingKey) -> String? {
    guard takes(key) else { return nil }
    if let text = written(key) { return text }
    return key.setting.standard.isEmpty ? nil : key.setting.standard
  }

  /// Whether the policy in force uses the setting.
  public func takes(_ key: SettingKey) -> Bool {
    key == .policy || CapturePolicy.takes(text(of: .policy) ?? "", key.path)
  }

  /// The value that stands in the file.
  fileprivate func written(_ key: SettingKey) -> String? {
    let section = key.setting.section
    let parent = section.isEmpty ? root : root.optional(section)
    if let node = parent?.optional(key.setting) { return try? key.text(of: node, in: zone) }
    guard key == .finish, case .after(let length) = core.configuration.finish else { return nil }
    return "after \(Dimension.duration.text(length.count))"
  }
}
