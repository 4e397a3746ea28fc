import SQLite
import Synchronization

/// The connections for queries, one for each that runs: with SQLite's write-ahead log they neither
/// wait for the connection for edits nor hold it up.
final class Readers: Sendable {
  /// Used by one thread at a time: by whoever took it from `idle`.
  private final class Reader: @unchecked Sendable {
    let database: SQLiteDatabase
    init(_ database: consuming SQLiteDatabase) { self.database = database }
  }

  private let path: String
  private let idle = Mutex<[Reader]>([])

  /// - Parameter path: of a database in WAL mode.
  init(path: String) { self.path = path }

  func withReader<Result>(_ body: (borrowing SQLiteDatabase) throws -> Result) throws -> Result {
    let reader = try idle.withLock { $0.popLast() } ?? open()
    defer {
      idle.withLock { if $0.count < Bounds.idleReaders { $0.append(reader) } }
    }
    return try body(reader.database)
  }

  /// Closes those that nobody uses.
  func close() { idle.withLock { $0 = [] } }

  private func open() throws -> Reader {
    let database = try SQLiteDatabase(path: path, access: .readOnly)
    try Schema.prepareForReading(database)
    return Reader(database)
  }
}
