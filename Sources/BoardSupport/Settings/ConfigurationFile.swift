import FoundationEssentials
import TrackerCore

/// All that a configuration file says.
public struct ConfigurationFile: Sendable, Equatable {
  public var configuration = Configuration()
  /// Empty when the file names none.
  public var team = InlineText<64>()
  /// `nil`: the program makes one, once per device.
  public var device: UniqueID?
  /// How long the server may still act on a request after our patience has ended
  /// (`server: { mayActFor: … }`); `nil`: as usual.
  public var mayActFor: Milliseconds?

  /// Every default.
  public init() {}

  /// Reads a configuration file. A key that it leaves out keeps its default.
  ///
  /// - Throws: the first thing in it that is unknown or impossible.
  public static func load(path: String) throws(FileError) -> ConfigurationFile {
    try ConfigurationFile(try FileNode.load(path: path))
  }

  /// Reads a configuration from the text of its file.
  public init(_ root: FileNode) throws(FileError) {
    try root.checkKeys(
      [
        "capture", "accuracy", "maximumSpeed", "transmit", "reconnectFloor", "receiver", "finish",
        "finishAfter", "endAfterFinish", "timeZone", "reserve", "startsBySelf", "notBefore",
        "team", "device", "bearer", "apn", "textAfter", "textTo",
      ] + DaemonSettings.keys)
    if let node = root.optional("capture") {
      configuration.capture = try CapturePolicy(node)
    }
    if let node = root.optional("accuracy") {
      configuration.accuracyMetres = try node.quantity(.distance, in: 1...10_000)
    }
    if let node = root.optional("maximumSpeed") {
      configuration.maximumSpeedMetresPerSecond = try node.quantity(.speed, in: 1...1000)
    }
    if let node = root.optional("transmit") { try readTransmission(node) }
    if let node = root.optional("reconnectFloor") {
      configuration.reconnectFloor = try node.duration(in: 0 ... .hours(24))
    }
    if let node = root.optional("receiver") {
      configuration.receiverUse = try node.choice([
        ("always", .always), ("dutyCycle", .dutyCycle),
      ])
      if configuration.receiverUse == .dutyCycle, !goesByTime {
        throw node.error(
          "\"dutyCycle\" needs a policy by time, a distance is not seen asleep; "
            + "write \"always\", or policy \"standard\" or \"adaptive\"")
      }
    }
    try readFinish(root)
    if let node = root.optional("reserve") {
      configuration.reservePercent = try node.quantity(
        .percentage, in: 0...90, "something must be left to spend")
    }
    if let node = root.optional("startsBySelf") {
      configuration.startsBySelf = try node.boolean()
    }
    if let node = root.optional("notBefore") { configuration.notBefore = try node.day() }
    try readBearer(root)
    if let node = root.optional("team") {
      let text = try node.text(atMost: 64, like: "Els Caminants")
      team = InlineText(Array(text.utf8).span)
    }
    if let node = root.optional("device") { device = try UniqueID(node) }
    mayActFor = try root.optional("server")?.optional("mayActFor")?.duration(
      in: 0 ... .hours(24), "what is longer keeps captures from the server for a day")
  }

  private var goesByTime: Bool {
    switch configuration.capture {
    case .standard, .adaptive: true
    case .significant, .proximity, .route: false
    }
  }

  private mutating func readTransmission(_ node: FileNode) throws(FileError) {
    try node.checkKeys(["interval", "betweenUploads"])
    if let interval = node.optional("interval") {
      configuration.transmitInterval = try interval.duration(
        in: CapturePolicy.intervals, CapturePolicy.intervalReason)
    }
    if let between = node.optional("betweenUploads") {
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
    guard let uuid = UUID(uuidString: text) else {
      throw node.error("\(quoted(text)) is no UUID; write for example \"\(example)\"")
    }
    var halves: [UInt64] = [0, 0]
    withUnsafeBytes(of: uuid.uuid) { bytes in
      for (index, byte) in bytes.enumerated() {
        halves[index / 8] = halves[index / 8] << 8 | UInt64(byte)
      }
    }
    self.init(high: halves[0], low: halves[1])
  }
}
