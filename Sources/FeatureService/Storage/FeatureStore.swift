import SQLite
import Synchronization

/// The captures and the course. A lock protects the connection for edits; queries have others.
final class FeatureStore: Sendable {
  private let engine: Mutex<Engine>
  /// `nil` for a database in memory, which has one connection only.
  private let readers: Readers?
  /// The course, in memory, read from its file at every start.
  private let course: Mutex<SQLiteDatabase>
  /// Asked at a query's start; what it returns is asked again and again, whether the query may go
  /// on.
  private let patience: FeatureServerSettings.Patience?
  let stored: (@Sendable ([TakenCapture]) -> Void)?

  /// A connection and the statement for inserting captures.
  struct Engine: ~Copyable {
    let database: SQLiteDatabase
    let insert: SQLiteStatement
  }

  /// Opens the database or creates it.
  ///
  /// - Parameters:
  ///   - path: a file, or ":memory:".
  ///   - columns: of the values of a new capture.
  /// - Throws: `ServiceError` or `SQLiteError`, both of one line.
  init(
    path: String, columns: [String], patience: FeatureServerSettings.Patience? = nil,
    stored: (@Sendable ([TakenCapture]) -> Void)? = nil
  ) throws {
    let database = try SQLiteDatabase(path: path)
    try Schema.prepare(database)
    let course = try SQLiteDatabase(path: ":memory:")
    try Schema.prepareForReading(course)
    try course.execute(Schema.course)
    self.course = Mutex(course)
    self.patience = patience
    self.stored = stored
    readers = path == ":memory:" ? nil : Readers(path: path)
    let insert = try database.prepare(Self.insertion(columns), isKept: true)
    engine = Mutex(Engine(database: database, insert: insert))
  }

  // SQLite moves its log to the database's file when the last connection is closed, unless that one
  // may only read.
  deinit { readers?.close() }

  private static func insertion(_ columns: [String]) -> String {
    let names = columns + ["GlobalID", "x", "y"]
    let values = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO capture (\(names.joined(separator: ", "))) VALUES (\(values))"
  }

  func withEngine<Result: Sendable>(
    _ body: (borrowing Engine) throws -> Result
  ) throws -> Result {
    try engine.withLock { engine in try body(engine) }
  }

  func withCourse<Result: Sendable>(
    _ body: (borrowing SQLiteDatabase) throws -> Result
  ) throws -> Result {
    try course.withLock { course in try body(course) }
  }

  /// Passes a connection on which a layer can be queried, and which ends what takes too long.
  func withReader(
    of layer: Layer, _ body: (borrowing SQLiteDatabase) throws -> Void
  ) throws {
    let mayGoOn = patience?()
    func watched(_ database: borrowing SQLiteDatabase) throws {
      guard let mayGoOn else { return try body(database) }
      do {
        try database.watched(every: Bounds.queryInstructions, while: mayGoOn) {
          try body(database)
        }
      } catch let error as SQLiteError where error.kind == .interrupted {
        throw ArcGISError.query("It takes longer than this server allows; ask for less.")
      }
    }
    if layer.isOfCourse { return try withCourse(watched) }
    if let readers { return try readers.withReader(watched) }
    try withEngine { try watched($0.database) }
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
