import Foundation

/// Something that the tests' own machinery could not do.
public struct Problem: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// An empty folder that goes away with its last user.
public final class ScratchFolder {
  public let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("trailtracker-\(UUID().uuidString)")

  public init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Makes a file and gives its path.
  public func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    return path(name)
  }

  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
