import ControlRoom
import Digests
import FeatureService
import SQLite
import Synchronization
import SystemCalls
import TrackerCore

/// Who may use the control room: accounts of the staff, links of followers, and sessions of both,
/// in `access.db`. Of passwords, links and sessions only hashes are kept.
public final class AccessStore: Sendable {
  /// Somebody of the staff.
  public struct Account: Sendable, Equatable {
    public var name: String
    public var role: Role
    /// Of a volunteer.
    public var place: String?

    public init(name: String, role: Role, place: String?) {
      self.name = name
      self.role = role
      self.place = place
    }
  }

  /// A link for followers.
  struct Link: Equatable {
    var number: Int64
    var label: String
    var made: UTC
    var expires: UTC
    var isRevoked: Bool
  }

  private struct Engine: ~Copyable { let database: SQLiteDatabase }
  private let engine: Mutex<Engine>
  /// How many sessions followers may have, so that they never drive out those of the staff.
  private let followers: Int
  /// One hash at a time: each takes 1024 times Bounds.passwordCost bytes.
  private let hashing = Mutex(())
  private static let applicationID: Int64 = 0x6163_6373
  private static let schema = """
    CREATE TABLE account (name TEXT PRIMARY KEY, role TEXT NOT NULL, place TEXT,
      password TEXT NOT NULL);
    CREATE TABLE link (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, label TEXT NOT NULL,
      made INTEGER NOT NULL, expires INTEGER NOT NULL, revoked INTEGER);
    CREATE TABLE session (key TEXT PRIMARY KEY, expires INTEGER NOT NULL,
      account TEXT REFERENCES account ON DELETE CASCADE,
      link INTEGER REFERENCES link ON DELETE CASCADE);
    PRAGMA application_id = \(applicationID);
    """

  /// - Parameter folder: of the database; created if it does not exist.
  /// - Throws: an error of one line.
  public convenience init(folder: String) throws {
    try self.init(folder: folder, followers: Bounds.followers)
  }

  init(folder: String, followers: Int) throws {
    self.followers = followers
    try makeDataFolder(folder)
    let path = folder + "/access.db"
    let database = try SQLiteDatabase(path: path)
    try database.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try database.transaction { () throws(SQLiteError) in
      if try database.integer("SELECT count(*) FROM sqlite_schema") == 0 {
        try database.execute(Self.schema)
      }
    }
    try database.execute(Self.roster + Self.phones)
    guard try database.integer("PRAGMA application_id") == Self.applicationID else {
      throw ServiceError("\(path): is not a control room's list of accounts; move it away")
    }
    try setPermissions(0o600, of: path)
    engine = Mutex(Engine(database: database))
  }

  func withDatabase<Result: Sendable>(
    _ body: (borrowing SQLiteDatabase) throws -> Result
  ) throws -> Result {
    try engine.withLock { engine in try body(engine.database) }
  }

  // MARK: The staff

  public func accounts() throws -> [Account] {
    try engine.withLock { engine in
      let rows = try engine.database.prepare("SELECT name, role, place FROM account ORDER BY name")
      var accounts: [Account] = []
      while try rows.step() {
        guard let role = Role(rawValue: rows.text(1)) else { continue }
        accounts.append(
          Account(name: rows.text(0), role: role, place: rows.isNull(2) ? nil : rows.text(2)))
      }
      return accounts
    }
  }

  /// Adds an account, or changes one; who uses it has to log in again.
  public func add(_ account: Account, password: String) throws {
    let kept = try hashing.withLock { _ in try KeptPassword(password) }
    try engine.withLock { engine in
      try engine.database.transaction { () throws(SQLiteError) in
        try Self.delete(account.name, engine.database)
        try engine.database.execute("PRAGMA user_version = 1")
        let row = try engine.database.prepare("INSERT INTO account VALUES (?, ?, ?, ?)")
        try row.bind(account.name, at: 1)
        try row.bind(account.role.rawValue, at: 2)
        try row.bind(account.place, at: 3)
        try row.bind(kept.text, at: 4)
        try row.run()
      }
    }
  }

  /// - Returns: whether there was such an account.
  public func remove(_ name: String) throws -> Bool {
    try engine.withLock { engine in try Self.delete(name, engine.database) > 0 }
  }

  @discardableResult private static func delete(
    _ name: String, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    let row = try database.prepare("DELETE FROM account WHERE name = ?")
    try row.bind(name, at: 1)
    return try row.run()
  }

  /// Whether there is, or was, an account: a room whose last account is removed stays shut.
  var hasAccounts: Bool {
    get throws {
      try engine.withLock { engine in try engine.database.integer("PRAGMA user_version") == 1 }
    }
  }

  /// - Returns: the account; `nil` for a wrong name or password, in the same time.
  func account(named name: String, password: String) throws -> Account? {
    let kept = try engine.withLock { engine -> String? in
      let row = try engine.database.prepare("SELECT password FROM account WHERE name = ?")
      try row.bind(name, at: 1)
      return try row.step() ? row.text(0) : nil
    }
    let isRight = try hashing.withLock { _ in
      try KeptPassword(text: kept ?? Self.nobodys).isMade(of: password)
    }
    // Not by Swift's equality, for which two names in SQLite may be one.
    return isRight ? try accounts().first { $0.name.utf8.elementsEqual(name.utf8) } : nil
  }

  /// No password has this hash.
  private static let nobodys = "scrypt$0$0"

  // MARK: Links of followers

  func links() throws -> [Link] {
    try engine.withLock { engine in
      let rows = try engine.database.prepare(
        "SELECT number, label, made, expires, revoked FROM link ORDER BY number DESC")
      var links: [Link] = []
      while try rows.step() {
        links.append(
          Link(
            number: rows.integer(0), label: rows.text(1), made: UTC(milliseconds: rows.integer(2)),
            expires: UTC(milliseconds: rows.integer(3)), isRevoked: !rows.isNull(4)))
      }
      return links
    }
  }

  /// - Returns: what the link ends with. It is nowhere else.
  func makeLink(_ label: String, until expires: UTC, at now: UTC) throws -> String {
    let key = newSecret()
    try engine.withLock { engine in
      let valid = try engine.database.prepare(
        "SELECT count(*) FROM link WHERE revoked IS NULL AND expires > ?")
      try valid.bind(now.milliseconds, at: 1)
      guard try valid.step(), valid.integer(0) < Bounds.links else {
        throw ServiceError("there are \(Bounds.links) links already; revoke some")
      }
      let row = try engine.database.prepare(
        "INSERT INTO link (key, label, made, expires) VALUES (?, ?, ?, ?)")
      try row.bind(sha256(key), at: 1)
      let text = String(String.UnicodeScalarView(label.unicodeScalars.prefix(100)))
      try row.bind(text.visible, at: 2)
      try row.bind(now.milliseconds, at: 3)
      try row.bind(expires.milliseconds, at: 4)
      try row.run()
    }
    return key
  }

  /// Blanks what was written about links for a team's followers.
  ///
  /// - Returns: of how many.
  func eraseLabels(mentioning names: [String]) throws -> Int {
    let found = try links().filter { link in
      names.contains { DiaryErasure.mentions($0, link.label) }
    }
    try engine.withLock { engine in
      try engine.database.execute("PRAGMA secure_delete = ON")
      for link in found {
        let row = try engine.database.prepare("UPDATE link SET label = '' WHERE number = ?")
        try row.bind(link.number, at: 1)
        try row.run()
      }
    }
    return found.count
  }

  /// The link and all sessions that came by it end.
  func revoke(_ number: Int64, at now: UTC) throws {
    try engine.withLock { engine in
      try engine.database.transaction { () throws(SQLiteError) in
        let row = try engine.database.prepare("UPDATE link SET revoked = ? WHERE number = ?")
        try row.bind(now.milliseconds, at: 1)
        try row.bind(number, at: 2)
        try row.run()
        let sessions = try engine.database.prepare("DELETE FROM session WHERE link = ?")
        try sessions.bind(number, at: 1)
        try sessions.run()
      }
    }
  }

  /// - Parameter key: what a link ends with.
  /// - Returns: `nil` if it is none, was revoked or has expired.
  func link(_ key: String, at now: UTC) throws -> Link? {
    let number = try engine.withLock { engine in
      let row = try engine.database.prepare(
        "SELECT number FROM link WHERE key = ? AND revoked IS NULL AND expires > ?")
      try row.bind(sha256(key), at: 1)
      try row.bind(now.milliseconds, at: 2)
      return try row.step() ? row.integer(0) : nil
    }
    return try links().first { $0.number == number }
  }

  /// Whether a link was not revoked and has not expired.
  func isValid(_ number: Int64, at now: UTC) throws -> Bool {
    try engine.withLock { engine in
      let row = try engine.database.prepare(
        "SELECT 1 FROM link WHERE number = ? AND revoked IS NULL AND expires > ?", isKept: true)
      try row.bind(number, at: 1)
      try row.bind(now.milliseconds, at: 2)
      return try row.step()
    }
  }

  // MARK: Sessions

  /// - Parameters:
  ///   - name: of an account; `nil` without a link: who has the server's own password, as long as
  ///     there are no accounts.
  /// - Returns: what the browser sends from now on.
  func begin(
    account name: String?, link: Int64? = nil, until expires: UTC, at now: UTC
  ) throws -> String {
    let key = newSecret()
    try engine.withLock { engine in
      try engine.database.transaction { () throws(SQLiteError) in
        let old = try engine.database.prepare(
          """
          DELETE FROM session WHERE expires <= ? OR key IN
            (SELECT key FROM session WHERE link NOT NULL ORDER BY rowid DESC LIMIT -1 OFFSET ?)
          """)
        try old.bind(now.milliseconds, at: 1)
        try old.bind(Int64(followers), at: 2)
        try old.run()
        let row = try engine.database.prepare("INSERT INTO session VALUES (?, ?, ?, ?)")
        try row.bind(sha256(key), at: 1)
        try row.bind(expires.milliseconds, at: 2)
        try row.bind(name, at: 3)
        try row.bind(link, at: 4)
        try row.run()
      }
    }
    return key
  }

  func end(session key: String) throws {
    try engine.withLock { engine in
      let row = try engine.database.prepare("DELETE FROM session WHERE key = ?")
      try row.bind(sha256(key), at: 1)
      try row.run()
    }
  }

  /// - Parameter key: what the browser sends.
  /// - Returns: `nil` if the session has ended.
  func viewer(session key: String, at now: UTC) throws -> Viewer? {
    try engine.withLock { engine in
      let row = try engine.database.prepare(
        """
        SELECT account.name, account.role, account.place, session.link FROM session
        LEFT JOIN account ON account.name = session.account
        LEFT JOIN link ON link.number = session.link
        WHERE session.key = ? AND session.expires > ?2
          AND (session.link IS NULL OR (link.revoked IS NULL AND link.expires > ?2))
          AND (session.link NOT NULL OR session.account NOT NULL
            OR (SELECT user_version FROM pragma_user_version) = 0)
        """, isKept: true)
      try row.bind(sha256(key), at: 1)
      try row.bind(now.milliseconds, at: 2)
      guard try row.step() else { return nil }
      let csrf = sha256("csrf \(key)")
      if !row.isNull(3) { return Viewer(role: .follower, link: row.integer(3), csrf: csrf) }
      if row.isNull(0) { return Viewer(role: .control, csrf: csrf) }
      guard let role = Role(rawValue: row.text(1)) else { return nil }
      return Viewer(
        role: role, person: row.text(0), place: row.isNull(2) ? nil : row.text(2), csrf: csrf)
    }
  }
}

/// The teams as people have written them down in the room: they stand for those of the table.
extension AccessStore {
  static let roster = """
    CREATE TABLE IF NOT EXISTS team (number TEXT PRIMARY KEY, name TEXT NOT NULL, phone TEXT,
      public INTEGER NOT NULL);
    """

  /// The teams of a table, with what was changed since, and those that were added.
  func roster(of table: [RosterTeam]) throws -> [RosterTeam] {
    let written = try writtenTeams()
    let numbers = Set(table.map(\.number))
    return table.map { team in written.first { $0.number == team.number } ?? team }
      + written.filter { !numbers.contains($0.number) }
  }

  func writtenTeams() throws -> [RosterTeam] {
    try withDatabase { database in
      let rows = try database.prepare(
        "SELECT number, name, phone, public FROM team ORDER BY number")
      var teams: [RosterTeam] = []
      while try rows.step() {
        teams.append(
          RosterTeam(
            number: rows.text(0), name: rows.text(1), phone: rows.isNull(2) ? nil : rows.text(2),
            isPublic: rows.integer(3) != 0))
      }
      return teams
    }
  }

  func write(_ team: RosterTeam) throws {
    try withDatabase { database in
      let row = try database.prepare("INSERT OR REPLACE INTO team VALUES (?, ?, ?, ?)")
      try row.bind(team.number, at: 1)
      try row.bind(team.name, at: 2)
      try row.bind(team.phone, at: 3)
      try row.bind(Int64(team.isPublic ? 1 : 0), at: 4)
      try row.run()
    }
  }

  /// What the table says holds again.
  func forgetTeam(_ number: String) throws {
    try withDatabase { database in
      let row = try database.prepare("DELETE FROM team WHERE number = ?")
      try row.bind(number, at: 1)
      try row.run()
    }
  }
}

/// A person's password as it is kept: `scrypt$SALT$HASH`.
struct KeptPassword {
  let text: String

  init(text: String) { self.text = text }

  /// - Throws: `ServiceError` if the machine has no memory for it.
  init(_ password: String) throws(ServiceError) {
    let salt = newSecret()
    text = "scrypt$\(salt)$\(try Self.hash(password, salt))"
  }

  /// - Throws: `ServiceError` if the machine has no memory for it.
  func isMade(of password: String) throws(ServiceError) -> Bool {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "scrypt" else { return false }
    return isEqualInConstantTime(try Self.hash(password, String(parts[1])), String(parts[2]))
  }

  private static func hash(_ password: String, _ salt: String) throws(ServiceError) -> String {
    guard let hash = scrypt(password, salt: salt, cost: Bounds.passwordCost) else {
      throw ServiceError("there is no memory for a password's hash; close other programs")
    }
    return hash
  }
}
