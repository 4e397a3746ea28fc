public import SQLite

/// A connection to SQLite's database as any other.
public final class SQLiteConnection: SQLConnection {
  fileprivate let database: SQLiteDatabase

  /// Of SQLite's virtual machine, between two looks at whether a statement may go on: below a
  /// millisecond, and looking takes a thousandth of that.
  private static let instructions: Int32 = 1000

  public init(_ database: consuming SQLiteDatabase) { self.database = database }

  public var dialect: SQLDialect { .sqlite }
  public var name: String { database.path }

  public func prepare(_ sql: String, isKept: Bool) throws(SQLError) -> any SQLStatement {
    do { return SQLiteRows(try database.prepare(sql, isKept: isKept)) } catch {
      throw SQLError(error)
    }
  }

  public func execute(_ sql: String) throws(SQLError) {
    do { try database.execute(sql) } catch { throw SQLError(error) }
  }

  public func begin() throws(SQLError) {
    do { try database.begin() } catch { throw SQLError(error) }
  }

  public func commit() throws(SQLError) {
    do { try database.commit() } catch { throw SQLError(error) }
  }

  public func rollBack() { database.rollBack() }
  public func tell(_ word: String) {}
  public func unhurried<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  public func watched<Result>(
    while mayGoOn: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try database.watched(every: Self.instructions, while: mayGoOn, body)
  }
}

final class SQLiteRows: SQLStatement {
  private let statement: SQLiteStatement

  init(_ statement: consuming SQLiteStatement) { self.statement = statement }

  func bind(_ value: Int64, at place: Int32) throws(SQLError) {
    do { try statement.bind(value, at: place) } catch { throw SQLError(error) }
  }

  func bind(_ value: Double, at place: Int32) throws(SQLError) {
    do { try statement.bind(value, at: place) } catch { throw SQLError(error) }
  }

  func bind(_ text: String, at place: Int32) throws(SQLError) {
    do { try statement.bind(text, at: place) } catch { throw SQLError(error) }
  }

  func bindNull(at place: Int32) throws(SQLError) {
    do { try statement.bindNull(at: place) } catch { throw SQLError(error) }
  }

  func step() throws(SQLError) -> Bool {
    do { return try statement.step() } catch { throw SQLError(error) }
  }

  func run() throws(SQLError) -> Int {
    do { return try statement.run() } catch { throw SQLError(error) }
  }

  func reset() { statement.reset() }
  func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
  func integer(_ column: Int32) -> Int64 { statement.integer(column) }
  func double(_ column: Int32) -> Double { statement.double(column) }
  func text(_ column: Int32) -> String { statement.text(column) }
}

extension SQLError {
  init(_ error: SQLiteError) {
    let kind: Kind =
      switch error.kind {
      case .busy: .busy
      case .full: .full
      case .readOnly: .readOnly
      case .corrupt, .notADatabase: .damaged
      case .constraint: .constraint
      case .interrupted: .interrupted
      case .inputOutput, .cannotOpen, .other: .other
      }
    self.init(kind, error.description)
  }
}

/// A file of SQLite, or a database in memory.
public struct SQLiteSource: SQLSource {
  public let path: String
  private let image: [UInt8]?

  /// - Parameters:
  ///   - path: a file, or ":memory:".
  ///   - image: a file's bytes, of which the database in memory is a copy; `nil`: it is empty.
  public init(path: String, image: [UInt8]? = nil) { (self.path, self.image) = (path, image) }

  /// The bytes of a file with what `prepare` puts into an empty database.
  public static func image(_ prepare: (any SQLConnection) throws -> Void) throws -> [UInt8] {
    let connection = SQLiteConnection(try SQLiteDatabase(path: ":memory:"))
    try prepare(connection)
    return try connection.database.image()
  }

  public var dialect: SQLDialect { .sqlite }
  public var isShared: Bool { path != ":memory:" }

  public func connect(isReadOnly: Bool) throws(SQLError) -> sending any SQLConnection {
    do {
      if let image { return SQLiteConnection(try SQLiteDatabase(image: image, path: path)) }
      return SQLiteConnection(
        try SQLiteDatabase(path: path, access: isReadOnly ? .readOnly : .create))
    } catch { throw SQLError(error) }
  }
}
