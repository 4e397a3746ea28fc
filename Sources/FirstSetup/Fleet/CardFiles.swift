/// What the boot partition of a tracker's card has for its first start: a folder of these files.
/// The partition is FAT, so that any computer can write it.
public struct CardFiles: Sendable, Equatable {
  /// The folder's name, on the top level of the partition.
  public static let folder = "trailtracker"
  public static let configurationName = "trackerd.json5"
  public static let boardName = "board"
  public static let secretsName = "secrets"
  /// Where the tracker keeps its secrets after the first start; the configuration says so.
  public static let secretsPath = "/etc/trailtracker/secrets"

  /// A configuration in JSON5.
  public var configuration: [UInt8]
  /// A name for trackerd's option `--board`; `nil`: the tracker's stays as it is.
  public var board: String?
  /// Lines `name = value`; `nil`: the server needs none.
  public var secrets: [UInt8]?

  public init(configuration: [UInt8], board: String? = nil, secrets: [UInt8]? = nil) {
    self.configuration = configuration
    self.board = board
    self.secrets = secrets
  }

  /// Each file's name and content.
  public var all: [(name: String, bytes: [UInt8])] {
    var all = [(Self.configurationName, configuration)]
    if let board { all.append((Self.boardName, Array("\(board)\n".utf8))) }
    if let secrets { all.append((Self.secretsName, secrets)) }
    return all
  }
}
