/// The engines, where their SQL differs.
public enum SQLDialect: Sendable { case sqlite, postgreSQL }

/// A connection to a database that understands SQL: SQLite's, or a server's. To be used by one
/// thread at a time.
///
/// What is written for it is SQL of both engines: parameters are `?` or `?1`, names in quotes are
/// the same in any case of letters, and LIKE tells upper from lower case.
public protocol SQLConnection: AnyObject {
  var dialect: SQLDialect { get }
  /// What errors call it: a path, or a host and a database.
  var name: String { get }

  /// Compiles one statement.
  ///
  /// - Parameter isKept: whether it will be used many times. Not for texts with values in them:
  ///   each would be kept.
  func prepare(_ sql: String, isKept: Bool) throws(SQLError) -> any SQLStatement

  /// Runs statements, separated by semicolons, and ignores their rows.
  func execute(_ sql: String) throws(SQLError)

  /// Begins a transaction that sees what all earlier ones have written.
  func begin() throws(SQLError)
  func commit() throws(SQLError)
  /// Never fails: whatever happens to the connection, the transaction is over.
  func rollBack()

  /// Runs `body`, which may take as long as it takes to write whole tables anew.
  func unhurried<Result>(_ body: () throws -> Result) throws -> Result

  /// Tells all that listen to this database a word, as soon as what was written can be read.
  /// Nobody but this program uses a file.
  func tell(_ word: String) throws(SQLError)

  /// Runs `body`; its statements end with an error of the kind `interrupted` as soon as `mayGoOn`
  /// says no.
  func watched<Result>(
    while mayGoOn: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result
}

extension SQLConnection {
  public func prepare(_ sql: String) throws(SQLError) -> any SQLStatement {
    try prepare(sql, isKept: false)
  }

  /// The first column of the first row of a query; `nil` when there is no row or it is null.
  public func integer(_ sql: String) throws(SQLError) -> Int64? {
    let row = try prepare(sql)
    guard try row.step(), !row.isNull(0) else { return nil }
    return row.integer(0)
  }

  /// From now on nothing of what is deleted stays in a file; of a server's, after `compact`.
  public func forgetDeleted() throws(SQLError) {
    if dialect == .sqlite { try execute("PRAGMA secure_delete = ON") }
  }

  /// Rewrites tables: nothing of what was deleted stays in them. A server's log and its copies are
  /// its administrator's.
  public func compact(_ tables: [String]) throws {
    switch dialect {
    case .sqlite: try execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    case .postgreSQL:
      try unhurried { for table in tables { try execute("VACUUM FULL \(table)") } }
    }
  }

  /// Runs `body` in a transaction, which is rolled back if it throws, or if `isKept` says so of its
  /// result.
  public func transaction<Result>(
    keptIf isKept: (Result) -> Bool = { _ in true }, _ body: () throws(SQLError) -> Result
  ) throws(SQLError) -> Result {
    try begin()
    do {
      let result = try body()
      if isKept(result) { try commit() } else { rollBack() }
      return result
    } catch {
      rollBack()
      throw error
    }
  }
}

/// A statement of a connection, not to be used after another one of the same text was prepared.
///
/// Parameters count from 1 and columns from 0, as in SQLite.
public protocol SQLStatement: AnyObject {
  func bind(_ value: Int64, at place: Int32) throws(SQLError)
  func bind(_ value: Double, at place: Int32) throws(SQLError)
  func bind(_ text: String, at place: Int32) throws(SQLError)
  func bindNull(at place: Int32) throws(SQLError)

  /// Advances to the next row.
  ///
  /// - Returns: whether there is one. After the last row the statement is reset.
  func step() throws(SQLError) -> Bool

  /// Runs a statement without rows, and resets it.
  ///
  /// - Returns: how many rows it inserted, changed or deleted.
  @discardableResult func run() throws(SQLError) -> Int

  /// Stops reading rows before the end. Bound values are kept.
  func reset()

  func isNull(_ column: Int32) -> Bool
  func integer(_ column: Int32) -> Int64
  func double(_ column: Int32) -> Double
  /// Bytes that are not UTF-8 become U+FFFD; null is the empty text.
  func text(_ column: Int32) -> String
}

extension SQLStatement {
  /// Runs a statement whose only row is a number; without a row, 0.
  public func onlyNumber() throws(SQLError) -> Int64 {
    let number = try step() ? integer(0) : 0
    reset()
    return number
  }

  public func bind(_ value: Int64?, at place: Int32) throws(SQLError) {
    if let value { try bind(value, at: place) } else { try bindNull(at: place) }
  }

  public func bind(_ value: Double?, at place: Int32) throws(SQLError) {
    if let value { try bind(value, at: place) } else { try bindNull(at: place) }
  }

  public func bind(_ text: String?, at place: Int32) throws(SQLError) {
    if let text { try bind(text, at: place) } else { try bindNull(at: place) }
  }
}

/// Where a database is, and how connections to it are made.
public protocol SQLSource: Sendable {
  var dialect: SQLDialect { get }
  /// Whether each connection sees what the others have written.
  var isShared: Bool { get }
  func connect(isReadOnly: Bool) throws(SQLError) -> sending any SQLConnection
}

/// An error of a database: one line that says what, where and what to do.
public struct SQLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds that callers distinguish.
  public enum Kind: Sendable, Equatable {
    /// A server cannot be reached, or does not answer.
    case unreachable
    /// Another program holds a lock for too long.
    case busy
    case full
    case readOnly
    /// The content is inconsistent, or of something else.
    case damaged
    /// A row violates a constraint, such as a duplicate key.
    case constraint
    /// It took longer than it may.
    case interrupted
    case other

    /// Whether the same can succeed later.
    public var isPassing: Bool {
      switch self {
      case .unreachable, .busy, .full, .readOnly: true
      case .damaged, .constraint, .interrupted, .other: false
      }
    }
  }

  /// What is known of why a server cannot be used.
  public enum Cause: Sendable, Equatable {
    /// It takes no connections: it is off, starts or stops, or has as many as it may.
    case closed
    /// It does not know the user, or the password is wrong or missing.
    case password
  }

  public var kind: Kind
  public var description: String
  /// `nil`: no more is known than the kind.
  public var cause: Cause?

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
