import Foundation
public import Testing

/// A PostgreSQL server of Debian's package in a temporary folder, on a socket there. It goes with
/// its last user, or with this process.
public final class PostgreSQLServer: @unchecked Sendable {
  /// Why there can be none here; `nil`: there can.
  public static var missing: Comment? {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))
    return versions?.isEmpty ?? true
      ? "no PostgreSQL server; .ci/readers installs Debian's" : nil
  }

  /// One for all tests that do not stop it.
  public static let shared = Result { try PostgreSQLServer() }

  private let folder: String
  private let script: RunningProgram
  private let lock = NSLock()
  private var schemas = 0

  /// - Parameter settings: of postgresql.conf, `name=value`. By default it does not wait for the
  ///   disk: no test cuts the power under it.
  /// - Parameter primary: of which it is a standby.
  public init(
    _ settings: [String] = ["fsync=off"], standbyOf primary: PostgreSQLServer? = nil
  ) throws {
    folder = "/tmp/trailtracker-\(UUID().uuidString.prefix(8))"
    let script = Built.repository.appendingPathComponent(".ci/postgresql").path
    self.script = try RunningProgram(
      [script, folder] + settings + (primary.map { ["standbyOf=\($0.folder)"] } ?? []),
      environment: ["LC_ALL": "C"], input: .pipe, output: .pipe,
      errors: .asOutput)
    try hear("made")
    try start()
  }

  deinit {
    try? script.closeInput()
    _ = script.outputToEnd()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func hear(_ word: String) throws {
    let said = try script.line().trimmingCharacters(in: .whitespacesAndNewlines)
    guard said == word else { throw Problem("PostgreSQL: '\(said)' instead of '\(word)'") }
  }

  private func tell(_ word: String) throws {
    try script.type("\(word)\n")
    try hear(word)
  }

  public func start() throws { try tell("start") }
  /// Ends its connections.
  public func stop() throws { try tell("stop") }
  /// As the kernel does where memory is short: SIGKILL.
  public func kill() throws { try tell("kill") }
  /// It and its connections stand still.
  public func hang() throws { try tell("hang") }
  public func resume() throws { try tell("resume") }
  /// A standby takes writes from now on.
  public func promote() throws { try tell("promote") }

  /// Lets it have its tables in a folder.
  public func own(_ path: String) throws {
    var status = stat()
    guard stat(folder + "/data", &status) == 0, chown(path, status.st_uid, status.st_gid) == 0
    else { throw Problem("\(path): cannot be given to PostgreSQL") }
  }

  /// For a client: of a database in it.
  public func address(_ database: String = "postgres") -> String {
    "postgresql://postgres@/\(database)?host=\(folder)"
  }

  /// The same of several servers, of which one takes writes.
  public static func address(of servers: [PostgreSQLServer]) -> String {
    "postgresql://postgres@/postgres?host=\(servers.map(\.folder).joined(separator: ","))"
  }

  /// The name of a schema that no other test has.
  public func newSchema() -> String {
    lock.withLock {
      schemas += 1
      return "race \(schemas)"
    }
  }

  /// What psql says to a statement.
  public func ask(_ sql: String, schema: String) throws -> String {
    let result = try ProgramResult(
      running: ["psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, address()],
      environment: ["PGOPTIONS": "-c search_path=\(schema.replacing(" ", with: "\\ "))"])
    guard result.code == 0 else { throw Problem(result.errors) }
    return result.output.trimmingCharacters(in: .newlines)
  }
}
