import Foundation

/// The real basecamp, listening on a port of its own until the test is over.
public final class CampServer {
  public let process = Process()
  /// Kept as long as the server, which opens its database again for queries.
  private let folder: ScratchFolder
  /// `http://127.0.0.1:40123/arcgis/rest/services`
  public let services: String
  public let port: UInt16
  /// How to repeat it.
  public let command: String

  /// Starts it and waits until it listens. Its database is `camp` in the folder.
  ///
  /// - Parameter environment: what is added to that of the tests.
  public init(
    _ folder: ScratchFolder, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    self.folder = folder
    let words = ["--listen", "127.0.0.1:0", "--database", folder.path("camp")] + arguments
    command = "repeat with: swift run basecamp " + words.map { "'\($0)'" }.joined(separator: " ")
    let output = Pipe()
    process.executableURL = Built.program("basecamp")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(Built.english) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { throw Problem("basecamp did not start; \(command)") }
      line += String(decoding: bytes, as: UTF8.self)
    }
    services = String(line.dropFirst("basecamp: ".count).dropLast())
    guard line.hasPrefix("basecamp: http"), let address = URL(string: services),
      let port = address.port.flatMap({ UInt16(exactly: $0) })
    else { throw Problem("basecamp said '\(line)'; \(command)") }
    self.port = port
  }

  deinit { if process.isRunning { end(SIGKILL) } }

  /// Ends the program by a signal, and gives its exit code.
  @discardableResult public func end(_ signal: Int32 = SIGTERM) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
