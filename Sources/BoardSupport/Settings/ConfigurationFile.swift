import TrackerCore
import Wording

/// The content of a configuration file, except the daemon's settings.
public struct ConfigurationFile: Sendable, Equatable {
  public var configuration = Configuration()
  /// Empty when not given.
  public var team = InlineText<64>()
  /// `nil`: the program generates one, once per device.
  public var device: UniqueID?
  /// How long the server may still apply a request that was given up (`server: { mayActFor: … }`);
  /// `nil`: the default.
  public var mayActFor: Milliseconds?
  /// Of a finish without an offset (IANA name).
  public var timeZone: String?
  /// `nil`: as is usual for the board; see `adoptDefaults`.
  public var receiverUse: ReceiverUse?
  public var courseLimits = CourseLimits()
  /// `nil` when not given.
  public var language: Language?

  /// All defaults.
  public init() {}

  /// Reads a configuration file. Missing keys have their defaults.
  ///
  /// - Throws: for the first thing that is unknown or impossible.
  public static func load(path: String) throws(FileError) -> ConfigurationFile {
    try ConfigurationFile(try FileNode.load(path: path))
  }

  /// Reads a configuration from the text of its file.
  public init(_ root: FileNode) throws(FileError) {
    try root.checkKeys(of: "")
    if let node = root.optional("capture") {
      configuration.capture = try CapturePolicy(node)
    }
    if let node = root.optional(Settings.accuracy) {
      configuration.accuracyMetres = try node.quantity(Settings.accuracy)
    }
    if let node = root.optional(Settings.maximumSpeed) {
      configuration.maximumSpeedMetresPerSecond = try node.quantity(Settings.maximumSpeed)
    }
    if let node = root.optional(Settings.offCourse) {
      courseLimits.offCourseMetres = try node.quantity(Settings.offCourse)
    }
    if let node = root.optional(Settings.backwards) {
      courseLimits.backwardsMetres = try node.quantity(Settings.backwards)
    }
    if let node = root.optional("transmit") { try readTransmission(node) }
    if let node = root.optional(Settings.reconnectFloor) {
      configuration.reconnectFloor = try node.duration(Settings.reconnectFloor)
    }
    if let node = root.optional(Settings.receiver) {
      let use = try node.choice(ReceiverUse.words)
      receiverUse = use
      configuration.receiverUse = use
      if configuration.receiverUse == .dutyCycle, !goesByTime {
        throw node.error(FilePhrase.dutyCycle.texts)
      }
    }
    try readFinish(root)
    if let node = root.optional(Settings.reserve) {
      configuration.reservePercent = try node.quantity(Settings.reserve)
    }
    if let node = root.optional(Settings.confidence) {
      configuration.confidencePercent = try node.quantity(Settings.confidence)
    }
    if let node = root.optional(Settings.startsBySelf) {
      configuration.startsBySelf = try node.boolean()
    }
    if let node = root.optional(Settings.notBefore) { configuration.notBefore = try node.day() }
    try readBearer(root)
    if let node = root.optional(Settings.team) {
      let text = try node.text(atMost: 64, like: "Els Caminants")
      team = InlineText(Array(text.utf8).span)
    }
    if let node = root.optional(Settings.device) { device = try UniqueID(node) }
    language = try root.optional(Settings.language)?.choice(Language.words)
    mayActFor = try root.optional("server")?.optional(Settings.mayActFor)?.duration(
      Settings.mayActFor)
  }

  /// Adopts the board's own default where the file gives no value.
  public mutating func adoptDefaults(of board: BoardDescription) {
    if receiverUse == nil && goesByTime { configuration.receiverUse = board.receiverUse }
  }

  private var goesByTime: Bool {
    switch configuration.capture {
    case .standard, .adaptive: true
    case .significant, .proximity, .route: false
    }
  }

  private mutating func readTransmission(_ node: FileNode) throws(FileError) {
    try node.checkKeys(of: "transmit")
    if let interval = node.optional(Settings.transmitInterval) {
      configuration.transmitInterval = try interval.duration(Settings.transmitInterval)
    }
    if let between = node.optional(Settings.betweenUploads) {
      configuration.betweenUploads = try between.choice([
        ("off", .off), ("attached", .attached),
      ])
    }
  }
}

extension UniqueID {
  init(_ node: FileNode) throws(FileError) {
    let example = "6f1c2a52-0d57-4a86-9d8e-3f0b8b1f2c11"
    let text = try node.text(atMost: 60, like: example)
    let bytes = Array(text.utf8)
    guard bytes.count == 36, let id = UniqueID(text: bytes.span) else {
      throw node.error("\(quoted(text)) is not a UUID; write for example \"\(example)\"")
    }
    self = id
  }
}
