import TrackerCore
import Wording

/// What a configuration file says to a controller: its firmware delivers OsmAnd requests by its
/// modem, and has neither files nor a network.
public struct ControllerSettings: Sendable {
  public let core: ConfigurationFile
  /// Of the server; ASCII.
  public let address: String
  /// The file in the modem with the certificate of the server's authority; empty: none.
  public let authority: String

  /// Makes the checks that trackerd makes.
  ///
  /// - Throws: for the first mistake, and for the first setting that a controller cannot follow.
  public init(_ root: FileNode, on board: BoardDescription) throws(FileError) {
    core = try SettingsFile(root, on: board).plain.core
    try Self.refuse(root)
    let path = root.file.path
    guard core.configuration.bearer == .modem else {
      let message = "a controller has only its modem; write bearer: \"modem\""
      if let node = root.optional(Settings.bearer) { throw node.error(message) }
      throw FileError(path: path, keyPath: Settings.bearer.path, message: message)
    }
    try core.check(on: board, path: path)
    let node = try root.required("server", like: "{ kind: \"osmand\", … }")
    let server = try ServerSettings(node)
    guard server.kind == .osmAnd else {
      throw (node.optional(Settings.kind) ?? node).error(
        "a controller sends OsmAnd requests only; write kind: \"osmand\"")
    }
    try node.checkKeys(["kind", "address"])
    address = try Self.address(server.address)
    authority = try Self.authority(root.optional("network"))
    guard !authority.isEmpty || address.lowercased().hasPrefix("http://") else {
      throw server.address.error(
        "needs a certificate to trust; add network: { modemAuthority: \"ca.pem\" }, a file in the "
          + "modem's storage")
    }
  }

  /// What a controller does not have, and why.
  private static let refused: [(reason: String, settings: [Setting])] = [
    ("a controller keeps its captures on its card", [Settings.store]),
    (
      "a controller has a serial console, in English and without a lock",
      [Settings.control, Settings.console, Settings.language]
    ),
    ("a controller keeps no secrets", [Settings.secrets]),
    (
      "a controller follows no course",
      [Settings.course, Settings.offCourse, Settings.backwards, Settings.coverage]
    ),
    (
      "a controller's ports are those of its board",
      [Settings.receiverPort, Settings.modemPort, Settings.gathering]
    ),
    ("a controller has no date but the receiver's", [Settings.clock]),
    ("a controller takes no orders from a server", [Settings.remote, Settings.remoteLimit]),
    ("a controller sends no text messages", [Settings.textTo, Settings.textAfter]),
    ("a controller's identifier belongs to its card", [Settings.device]),
  ]

  private static func refuse(_ root: FileNode) throws(FileError) {
    for (reason, settings) in refused {
      for setting in settings {
        if let node = root.optional(setting) { throw node.error("\(reason); remove it") }
      }
    }
  }

  private static func address(_ node: FileNode) throws(FileError) -> String {
    let example = "http://host:5055/"
    let text = try node.text(atMost: FileBounds.controllerAddress, like: example)
    let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
    // It stands between quotes in a command of the modem's.
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    guard let scheme, text.utf8.count > scheme.utf8.count, isPlain, !text.contains("#") else {
      throw node.error(
        "\(quoted(text)) is no address that a modem takes; write one of ASCII characters, for "
          + "example \"\(example)\"")
    }
    return text
  }

  private static func authority(_ network: FileNode?) throws(FileError) -> String {
    guard let network else { return "" }
    try network.checkKeys(of: "network")
    let key = Settings.modemAuthority.key
    for (other, node) in network.children where other != key {
      throw node.error("a controller has no network but its modem's; remove it")
    }
    guard let node = network.optional(key) else { return "" }
    let text = try node.text(atMost: FileBounds.controllerAuthority, like: "ca.pem")
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    guard isPlain else {
      throw node.error("\(quoted(text)) is no name of a file in a modem; write for example ca.pem")
    }
    return text
  }
}
