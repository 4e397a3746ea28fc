import Foundation
public import Testing

/// A PostgreSQL server of Debian's package in a temporary folder, on a socket there. It goes with
/// its last user, or with this process.
public final class PostgreSQLServer: @unchecked Sendable {
  /// Why there can be none here; `nil`: there can.
  public static var missing: Comment? {
    programs == nil ? "no PostgreSQL server; .ci/readers installs Debian's" : nil
  }

  /// One for all tests that do not stop it.
  public static let shared = Result { try PostgreSQLServer() }

  /// Of the newest version.
  private static let programs: String? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))
    let newest = versions?.compactMap { Int($0) }.max()
    return newest.map { "/usr/lib/postgresql/\($0)/bin" }
  }()

  private let folder: String
  private let script: RunningProgram
  private let lock = NSLock()
  private var schemas = 0

  /// - Parameter settings: of postgresql.conf, `name=value`. By default it does not wait for the
  ///   disk: no test cuts the power under it.
  public init(_ settings: [String] = ["fsync=off"]) throws {
    guard let programs = Self.programs else { throw Problem("there is no PostgreSQL server") }
    // A socket's path has at most 107 bytes.
    folder = "/tmp/trailtracker-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    // It refuses to run as root.
    let other = getpwnam("postgres") == nil ? "nobody" : "postgres"
    let user =
      getuid() == 0
      ? ["setpriv", "--reuid", other, "--regid", "nogroup", "--clear-groups"] : []
    let options = settings.map { "-c \($0)" }.joined(separator: " ")
    script = try RunningProgram(
      user + ["sh", "-c", Self.script, "sh", programs, folder, options],
      environment: ["LC_ALL": "C"], folder: URL(fileURLWithPath: folder), input: .pipe,
      output: .pipe, errors: .asOutput)
    try hear("made")
    try start()
  }

  deinit {
    try? script.closeInput()
    _ = script.outputToEnd()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Obeys one word for each line of its input, and takes the server with it at the input's end.
  private static let script = """
    PATH=$1:$PATH
    data=$2/data
    initdb -D "$data" -U postgres -A trust -N -E UTF8 --locale=C.UTF-8 >"$2/initdb.log" 2>&1 ||
      { echo "initdb: $(tail -n 1 "$2/initdb.log")"; exit 1; }
    # Each of its connections is a process of its own.
    signal() {
      main=$(head -n 1 "$data/postmaster.pid")
      kill "-$1" "$main" $(pgrep -P "$main")
    }
    echo made
    while read -r word; do
      case $word in
        start) pg_ctl -D "$data" -w -t 60 -l "$2/log" \\
          -o "-c listen_addresses= -k $2 -c max_connections=200 $3" start >/dev/null 2>&1 ;;
        stop) pg_ctl -D "$data" -w -m fast stop >/dev/null ;;
        kill)
          main=$(head -n 1 "$data/postmaster.pid")
          kill -9 "$main"
          # Its children notice that it is gone.
          while pgrep -s "$main" >/dev/null; do sleep 0.05; done ;;
        hang) signal STOP ;;
        resume) signal CONT ;;
      esac
      echo "$word"
    done
    signal CONT
    pg_ctl -D "$data" -m immediate stop >/dev/null 2>&1
    rm -rf "$data" "$2"/*.log "$2/log"
    """

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

  /// For a client: of a database in it.
  public func address(_ database: String = "postgres") -> String {
    "postgresql://postgres@/\(database)?host=\(folder)"
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
