import Foundation
import SQL
import TestSupport
import Testing

@testable import PostgreSQL

private let note: Comment = "repeat with: swift test --filter PostgreSQLTests"

@Suite struct SQLTextTests {
  @Test(arguments: [
    ("SELECT ?, ?", "SELECT $1, $2", 2), ("SELECT ?2, ?1, ?", "SELECT $2, $1, $3", 3),
    ("\"Equip\" = '?\"A' AND \"a\"\"B\" = ?", "\"equip\" = '?\"A' AND \"a\"\"b\" = $1", 1),
    ("it''s '", "it''s '", 0), ("", "", 0), ("?99999999999", "$999999", 999_999),
  ])
  func `Parameters and names are written as PostgreSQL has them`(
    _ sql: String, _ expected: String, _ count: Int
  ) {
    let text = SQLText(sql)
    #expect(text.text.prefix(60) == expected.prefix(60) || sql.hasPrefix("?9"), note)
    #expect(text.parameters == count || sql.hasPrefix("?9"), note)
  }
}

@Suite(.blocking, .enabled(if: PostgreSQLServer.missing == nil, PostgreSQLServer.missing))
struct PostgreSQLTests {
  private func connection(
    _ server: PostgreSQLServer, _ change: (inout PostgreSQLAddress) -> Void = { _ in }
  ) throws -> PostgreSQLConnection {
    var address = try PostgreSQLAddress(server.address(), schema: server.newSchema())
    change(&address)
    return PostgreSQLConnection(address)
  }

  @Test func `Values come back as they were bound, kept or not`() throws {
    let database = try connection(try PostgreSQLServer.shared.get())
    try database.execute("CREATE TABLE t (a bigint, b double precision, c text)")
    let add = try database.prepare("INSERT INTO t VALUES (?, ?, ?)", isKept: true)
    try add.bind(Int64.min, at: 1)
    try add.bind(-0.1, at: 2)
    try add.bind("d'À\\ 🏃", at: 3)
    #expect(try add.run() == 1, note)
    try add.bind(nil as Int64?, at: 1)
    try add.bind(nil as Double?, at: 2)
    try add.bind("a\0b", at: 3)
    try add.run()
    for isKept in [true, false] {
      let rows = try database.prepare("SELECT a, b, c FROM t ORDER BY a", isKept: isKept)
      #expect(try rows.step(), note)
      #expect(rows.integer(0) == .min && rows.double(1) == -0.1, note)
      #expect(rows.text(2) == "d'À\\ 🏃", note)
      #expect(try rows.step(), note)
      #expect(rows.isNull(0) && rows.isNull(1) && rows.text(2) == "a\u{FFFD}b", note)
      #expect(try !rows.step(), note)
    }
  }

  @Test func `A transaction that fails leaves nothing, and the connection works on`() throws {
    let database = try connection(try PostgreSQLServer.shared.get())
    try database.execute("CREATE TABLE t (a bigint UNIQUE)")
    let error = #expect(throws: SQLError.self, note) {
      try database.transaction { () throws(SQLError) in
        try database.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
        try database.execute("INSERT INTO t VALUES (2)")
      }
    }
    #expect(error?.kind == .constraint, note)
    #expect(try database.integer("SELECT count(*) FROM t") == 0, note)
    let isUnwanted = { (_: Void) in false }
    try database.transaction(keptIf: isUnwanted) { () throws(SQLError) in
      try database.execute("INSERT INTO t VALUES (3)")
    }
    #expect(try database.integer("SELECT count(*) FROM t") == 0, note)
  }

  @Test func `Rows that nobody reads to the end are no trouble for what follows`() throws {
    let database = try connection(try PostgreSQLServer.shared.get())
    for count in [10, 100_000] {
      let rows = try database.prepare("SELECT generate_series(1, \(count))")
      #expect(try rows.step() && rows.step(), note)
      #expect(rows.integer(0) == 2, note)
      rows.reset()
      // Too many are not read: then the connection is another one.
      do { _ = try database.integer("SELECT 1") } catch { #expect(count > 1000, note) }
      #expect(try database.integer("SELECT 7") == 7, note)
    }
  }

  @Test func `What takes too long is ended by who waits, or by the server`() throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try connection(server) { $0.limits.statement = 300 }
    let slow = #expect(throws: SQLError.self, note) { try database.execute("SELECT pg_sleep(30)") }
    #expect(slow?.kind == .interrupted, note)
    let unwanted = #expect(throws: SQLError.self, note) {
      let isOver = { false }
      try database.watched(while: isOver) { try database.execute("SELECT pg_sleep(0.2)") }
    }
    #expect(unwanted?.kind == .interrupted, note)
    #expect(try database.integer("SELECT 1") == 1, note)
  }

  @Test func `Who gives up while it connects is no failure for the next one`() throws {
    let database = try connection(try PostgreSQLServer.shared.get())
    let unwanted = #expect(throws: SQLError.self, note) {
      let isOver = { false }
      try database.watched(while: isOver) { try database.execute("SELECT 1") }
    }
    #expect(unwanted?.kind == .interrupted, note)
    #expect(try database.integer("SELECT 1") == 1, note)
  }

  @Test func `Who gives up is not kept by a server that does not answer`() throws {
    let server = try PostgreSQLServer()
    let database = try connection(server) { $0.limits.connect = 1000 }
    try server.hang()
    let unwanted = #expect(throws: SQLError.self, note) {
      let isOver = { false }
      try database.watched(while: isOver) { try database.execute("SELECT 1") }
    }
    #expect(unwanted?.kind == .interrupted, note)
  }

  @Test func `A server that dies, stops or stands still is an error, and is found again`() throws {
    let server = try PostgreSQLServer()
    let database = try connection(server) {
      $0.limits.connect = 500
      $0.limits.statement = 500
    }
    func isAnswered() -> Bool { (try? database.integer("SELECT 1")) == 1 }
    try eventually("its first answer") { isAnswered() }
    for word in ["kill", "stop", "hang"] {
      switch word {
      case "kill": try server.kill()
      case "stop": try server.stop()
      default: try server.hang()
      }
      let error = #expect(throws: SQLError.self, note) { try database.integer("SELECT 1") }
      #expect(error?.kind == .unreachable && error?.kind.isPassing == true, note)
      // Those that wait in a row get the same answer.
      #expect(throws: SQLError.self, note) { try database.begin() }
      if word == "hang" { try server.resume() } else { try server.start() }
      try eventually("the server after \(word)") { isAnswered() }
    }
  }

  @Test func `Who waits too long for another's transaction is told so, and can go on`() throws {
    let server = try PostgreSQLServer.shared.get()
    var address = try PostgreSQLAddress(server.address(), schema: server.newSchema())
    let first = PostgreSQLConnection(address)
    address.limits.statement = 300
    let second = PostgreSQLConnection(address)
    try first.execute("CREATE TABLE t (a bigint)")
    try first.begin()
    let error = #expect(throws: SQLError.self, note) {
      try second.transaction { () throws(SQLError) in
        try second.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.kind == .busy, note)
    #expect(try second.integer("SELECT count(*) FROM t") == 0, note)
    try first.commit()
    try second.transaction { () throws(SQLError) in
      try second.execute("INSERT INTO t VALUES (2)")
    }
    #expect(try first.integer("SELECT a FROM t") == 2, note)
  }

  @Test func `A connection that the server has ended while it was idle is made anew`() throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try connection(server)
    let other = try connection(server)
    for _ in 1...3 {
      let id = try #require(try database.integer("SELECT pg_backend_pid()"), note)
      try other.execute("SELECT pg_terminate_backend(\(id))")
      try eventually("its end") { !FileManager.default.fileExists(atPath: "/proc/\(id)") }
      #expect(try database.integer("SELECT pg_backend_pid()") != id, note)
    }
  }

  @Test func `A connection that is lost within a transaction ends it`() throws {
    let server = try PostgreSQLServer.shared.get()
    let database = try connection(server)
    let other = try connection(server)
    try database.execute("CREATE TABLE t (a bigint)")
    let error = #expect(throws: SQLError.self, note) {
      try database.transaction { () throws(SQLError) in
        try database.execute("INSERT INTO t VALUES (1)")
        let id = try database.integer("SELECT pg_backend_pid()") ?? 0
        try other.execute("SELECT pg_terminate_backend(\(id))")
        for _ in 0..<100 { try database.execute("INSERT INTO t VALUES (2); SELECT pg_sleep(0.05)") }
      }
    }
    #expect(error?.kind == .unreachable, note)
    try eventually("a new connection") {
      (try? database.integer("SELECT count(*) FROM t")) == 0
    }
  }

  @Test(arguments: [
    "postgresql://u:secret@h/d?connect_timeout", "postgresql://u:secret@[::1/db",
    "postgresql://h/d?service=x",
    "postgresql://h/d?wrong=secret",
  ])
  func `An address that cannot be read is refused in a line without its password`(_ text: String) {
    let error = #expect(throws: SQLError.self, note) { try PostgreSQLAddress(text, schema: "r") }
    #expect(error?.description.contains("secret") == false, note)
    #expect(error?.description.contains("\n") == false, note)
  }

  @Test func `A host that is not known, or that nobody is at, is told in one line`() throws {
    for place in ["no-such-host.invalid", "127.0.0.1:9", "localhost:9"] {
      let address = try PostgreSQLAddress("postgresql://u:secret@\(place)/d", schema: "r")
      let error = #expect(throws: SQLError.self, note) {
        try PostgreSQLConnection(address).execute("SELECT 1")
      }
      #expect(error?.kind == .unreachable, note)
      #expect(error?.description.hasPrefix("postgresql://\(place)/d: ") == true, note)
      #expect(error?.description.contains("\n") == false, note)
    }
  }
}

struct RefusedConnectionTests {
  @Test(arguments: [
    ("a.b:5432 failed: FATAL:  28P01: password authentication failed", true, false),
    ("a.b:5432 failed: FATAL:  57P03: the database system is starting up", false, false),
    ("a.b:5432 failed: Connection refused", false, false),
    ("a.b:5432 failed: session is read-only", false, true),
  ])
  func `A line of libpq's tells whether it is the password or a standby`(
    _ line: String, isUserUnknown: Bool, isReadOnly: Bool
  ) {
    let refused = RefusedConnection(line)
    #expect(refused.isUserUnknown == isUserUnknown && refused.isReadOnly == isReadOnly)
    #expect(!refused.message.contains("P0"), "\(refused.message)")
  }
}
