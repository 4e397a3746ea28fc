import Foundation
public import Simulation

extension ModemScript {
  /// The scripts of the repository that are not built in.
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("traces/modems")

  /// A family (`sim7600`) or one of the repository's files (`pin-needed`).
  public init(named name: String) throws {
    switch name {
    case "generic": self.init(family: .generic)
    case "sim5320": self.init(family: .sim5320)
    case "sim7600": self.init(family: .sim7600)
    case "a7670": self.init(family: .a7670)
    default:
      let file = Self.folder.appendingPathComponent("\(name).script")
      try self.init(String(contentsOf: file, encoding: .utf8), name: file.path)
    }
  }
}
