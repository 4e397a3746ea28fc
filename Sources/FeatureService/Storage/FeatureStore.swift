import SQLite
import Synchronization

/// The captures and the course, in one database protected by one lock.
final class FeatureStore: Sendable {
  private let engine: Mutex<Engine>

  /// A connection and the statement for inserting captures.
  struct Engine: ~Copyable {
    let database: SQLiteDatabase
    let insert: SQLiteStatement
  }

  /// Opens the database or creates it.
  ///
  /// - Parameter path: a file, or ":memory:".
  /// - Throws: `ServiceError` or `SQLiteError`, both of one line.
  init(path: String) throws {
    let database = try SQLiteDatabase(path: path)
    try Schema.prepare(database)
    let insert = try database.prepare(Self.insertion, isKept: true)
    engine = Mutex(Engine(database: database, insert: insert))
  }

  private static let insertion = """
    INSERT INTO capture (CodiEquip, Equip, Bateria, Entrada, Tipus, UUID, GlobalID, x, y)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func withEngine<Result: Sendable>(
    _ body: (borrowing Engine) throws -> Result
  ) throws -> Result {
    try engine.withLock { engine in try body(engine) }
  }
}

extension SQLiteStatement {
  func bind(_ value: StoredValue, at place: Int32) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: place)
    case .text(let text): try bind(text, at: place)
    case .integer(let number): try bind(number, at: place)
    case .number(let number): try bind(number, at: place)
    }
  }
}
