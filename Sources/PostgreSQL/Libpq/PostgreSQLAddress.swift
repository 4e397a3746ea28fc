internal import CPostgreSQL
public import SQL
import SystemCalls

/// Where a database is: `postgresql://NAME@HOST/DATABASE`, as libpq reads it. A password comes from
/// `~/.pgpass`, PGPASSWORD or the address.
public struct PostgreSQLAddress: SQLSource {
  /// As given, and what we add where it says nothing.
  private let settings: [(name: String, value: String)]
  /// Without the password.
  public let name: String
  /// The schema that a connection works in.
  public var schema: String
  /// How long a connection may take, and a statement.
  public var limits = Limits()

  public struct Limits: Sendable {
    public var connect = Int64(5_000)
    /// A server that stands still is found out by it.
    public var statement = Int64(15_000)
    /// Of tables as a whole: millions of rows are written anew.
    public var work = Int64(3_600_000)
    /// After so long without a statement the server ends it; `nil`: never.
    public var idle: Int64?

    public init() {}
  }

  /// How an address of this kind begins.
  public static func isOne(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Settings for which libpq asks another machine before it has connected, without a time limit.
  private static let refused = [
    "service", "servicefile", "gssencmode", "options", "client_encoding",
  ]

  /// - Parameters:
  ///   - text: an address, which libpq documents as "Connection URIs".
  ///   - schema: of the tables; a connection creates nothing.
  /// - Throws: `SQLError` if it is none.
  public init(_ text: String, schema: String) throws(SQLError) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      let reason = message.map { String(cString: $0).trimmed } ?? "out of memory"
      PQfreemem(message)
      // Libpq quotes what it cannot read, a password perhaps.
      let plain = reason.split(separator: "\"").first.map(String.init) ?? reason
      throw SQLError(.other, "the database's address cannot be read: \(plain.trimmed)")
    }
    defer { PQconninfoFree(options) }
    var settings: [(name: String, value: String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        settings.append((String(cString: keyword), String(cString: value)))
      }
      option += 1
    }
    if let wrong = settings.first(where: { Self.refused.contains($0.name) }) {
      throw SQLError(.other, "the database's address has '\(wrong.name)': leave that out")
    }
    func given(_ name: String) -> String? { settings.first { $0.name == name }?.value }
    let place = given("host") ?? given("hostaddr") ?? "localhost"
    let port = given("port").map { ":\($0)" } ?? ""
    name = "postgresql://\(place)\(port)/\(given("dbname") ?? "")"
    for (name, value) in Self.defaults where given(name) == nil { settings.append((name, value)) }
    self.settings = settings
    self.schema = schema
  }

  /// Of several servers the one that takes writes; one that is gone is found out; no questions to a
  /// key server, which have no time limit.
  private static let defaults = [
    ("target_session_attrs", "read-write"), ("tcp_user_timeout", "15000"),
    ("keepalives_idle", "15"),
    ("keepalives_interval", "5"), ("keepalives_count", "3"), ("application_name", "basecamp"),
    ("gssencmode", "disable"),
  ]

  public var dialect: SQLDialect { .postgreSQL }
  public var isShared: Bool { true }

  public func connect(isReadOnly: Bool) throws(SQLError) -> sending any SQLConnection {
    PostgreSQLConnection(self, isReadOnly: isReadOnly)
  }

  /// For those who work in the same schema. The server takes names of 63 bytes.
  var channel: String {
    "basecamp/" + String(schema.filter { $0 != "\"" }.prefix(50))
  }

  /// The first statements of a connection: they make its schema if there is none.
  func beginning(isReadOnly: Bool) -> String {
    let identifier = schema.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    let literal = schema.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    let creation = """
      DO $schema$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '\(literal)') THEN
          CREATE SCHEMA "\(identifier)";
        END IF;
      EXCEPTION WHEN duplicate_schema OR unique_violation THEN NULL; -- Another was faster.
      END $schema$;
      """
    return """
      SET standard_conforming_strings = on; SET client_min_messages = warning;
      \(isReadOnly ? "" : creation)
      SET search_path = "\(identifier)", public;
      SET statement_timeout = \(limits.statement); SET synchronous_commit = on;
      SET idle_in_transaction_session_timeout = \(limits.statement * 2 / 3);
      SET idle_session_timeout = \(limits.idle ?? 0);
      SET client_connection_check_interval = 1000; SET tcp_keepalives_idle = 15;
      SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
      SET default_transaction_read_only = \(isReadOnly ? "on" : "off")
      """
  }

  /// What a connection begins with, names of hosts looked up: libpq would do that without a limit.
  ///
  /// - Parameter turn: which of the addresses comes first.
  func arguments(startingAt turn: Int) throws(SQLError) -> [(name: String, value: String)] {
    var all = settings
    all.append(("client_encoding", "UTF8"))
    guard !all.contains(where: { $0.name == "hostaddr" }),
      let index = all.firstIndex(where: { $0.name == "host" })
    else { return all }
    var hosts: [String] = []
    var addresses: [String] = []
    let ports = all.first { $0.name == "port" }?.value.split(separator: ",").map(String.init) ?? []
    var places: [String] = []
    for (number, host) in all[index].value.split(separator: ",").enumerated() {
      // A folder with a socket.
      let isPath = host.hasPrefix("/") || host.hasPrefix("@")
      let found = isPath ? [""] : lookUp(String(host), within: limits.connect)
      for address in found {
        hosts.append(String(host))
        addresses.append(address)
        places.append(ports.count > 1 && number < ports.count ? ports[number] : ports.first ?? "")
      }
    }
    guard !hosts.isEmpty else {
      throw SQLError(.unreachable, "\(name): the name of its host is not known")
    }
    func list(_ values: [String]) -> String {
      let first = turn % values.count
      return (values[first...] + values[..<first]).joined(separator: ",")
    }
    all.removeAll { $0.name == "host" || $0.name == "port" }
    all += [("host", list(hosts)), ("hostaddr", list(addresses))]
    if !ports.isEmpty { all.append(("port", list(places))) }
    return all
  }
}

extension String {
  /// One line without spaces around it.
  var trimmed: String {
    var text = Substring(split(whereSeparator: \.isNewline).joined(separator: " "))
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
