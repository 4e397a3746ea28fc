import Foundation

/// The real basecamp, listening on a port of its own until the test is over.
public final class CampServer {
  private let program: RunningProgram
  /// Kept as long as the server, which opens its database again for queries.
  private let scratch: ScratchFolder?
  /// `http://127.0.0.1:40123/arcgis/rest/services`
  public let services: String
  public let port: UInt16
  /// How to repeat it.
  public let command: String
  /// Whom the tests' own requests trust, for one that speaks TLS.
  let authorities: String?

  /// Starts it and waits until it listens. Its database is `camp` in the folder, unless
  /// the arguments name one.
  ///
  /// - Parameters:
  ///   - environment: what is added to that of the tests.
  ///   - wrapper: the words before the program's own name: another program that starts it.
  ///   - address: where it listens.
  ///   - errors: where its log goes.
  public convenience init(
    _ folder: ScratchFolder, _ arguments: [String] = [], environment: [String: String] = [:],
    authorities: String? = nil, errors: RunningProgram.Stream = .inherited
  ) throws {
    try self.init(
      folder: folder.url, arguments, environment: environment, authorities: authorities,
      errors: errors, keeping: folder)
  }

  public init(
    folder: URL, _ arguments: [String] = [], environment: [String: String] = [:],
    wrapper: [String] = [], address: String = "127.0.0.1", authorities: String? = nil,
    errors: RunningProgram.Stream = .inherited, keeping scratch: ScratchFolder? = nil
  ) throws {
    self.scratch = scratch
    self.authorities = authorities
    let place = ["--database", folder.appendingPathComponent("camp").path]
    let free = address == "127.0.0.1" ? try ScriptedServer.deadPort() : 0
    let words =
      (arguments.contains("--listen") ? [] : ["--listen", "\(address):\(free)"])
      + (arguments.contains("--database") ? [] : place) + arguments
    command = "repeat with: swift run basecamp " + words.map { "'\($0)'" }.joined(separator: " ")
    program = try RunningProgram(
      wrapper + [Built.program("basecamp").path] + words, environment: environment, output: .pipe,
      errors: errors)
    // basecamp: http://127.0.0.1:40123/arcgis/rest/services
    // basecamp: http://127.0.0.1:40123/room
    let line = try program.line().prefix { $0 != "\n" }
    services = String(line.dropFirst("basecamp: ".count))
    guard line.hasPrefix("basecamp: http"), let address = URL(string: services),
      let port = address.port.flatMap({ UInt16(exactly: $0) })
    else { throw Problem("basecamp said '\(line)'; \(command)") }
    self.port = port
  }

  public var id: Int32 { program.id }
  /// Whether it ended by itself.
  public var hasExited: Bool { program.hasExited }
  public func signal(_ number: Int32) { program.signal(number) }
  public func wait() { program.wait() }

  /// Ends the program by a signal, and gives its exit code.
  @discardableResult public func end(_ signal: Int32 = SIGTERM) -> Int32 { program.end(signal) }

  public var layer: String { "\(services)/TrailWalker/FeatureServer/0" }
}
