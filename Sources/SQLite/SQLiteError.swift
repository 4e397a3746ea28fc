internal import CSQLite

/// An error from SQLite: one line that says what, where and what to do.
///
///     race.store: insert: the disk is full; make room on it
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds that callers distinguish.
  public enum Kind: Sendable, Equatable {
    /// Another process holds a lock for longer than the busy timeout.
    case busy
    /// The disk is full, or the database's page limit is reached.
    case full
    case readOnly
    case inputOutput
    /// The content is inconsistent.
    case corrupt
    case notADatabase
    /// The file or its directory cannot be opened.
    case cannotOpen
    /// A row violates a constraint, such as a duplicate key.
    case constraint
    /// `SQLiteDatabase.watched` ended it.
    case interrupted
    case other
  }

  /// SQLite's extended result code (sqlite.org/rescode.html).
  public var code: Int32
  /// The operation, in a few words.
  public var operation: String
  /// The path of the `SQLiteDatabase`; ":memory:" for one in memory.
  public var path: String
  /// SQLite's message.
  public var message: String

  public init(code: Int32, operation: String, path: String, message: String) {
    self.code = code
    self.operation = operation
    self.path = path
    self.message = message
  }

  /// An error that was not detected by SQLite itself, with a matching code.
  public init(_ kind: Kind, operation: String, path: String, message: String) {
    let code =
      switch kind {
      case .busy: SQLITE_BUSY
      case .full: SQLITE_FULL
      case .readOnly: SQLITE_READONLY
      case .inputOutput: SQLITE_IOERR
      case .corrupt: SQLITE_CORRUPT
      case .notADatabase: SQLITE_NOTADB
      case .cannotOpen: SQLITE_CANTOPEN
      case .constraint: SQLITE_CONSTRAINT
      case .interrupted: SQLITE_INTERRUPT
      case .other: SQLITE_ERROR
      }
    self.init(code: code, operation: operation, path: path, message: message)
  }

  public var kind: Kind {
    // A full disk, when growing the log's index: SQLITE_IOERR_SHMSIZE, SQLITE_IOERR | 19 << 8.
    if code == SQLITE_IOERR | 19 << 8 { return .full }
    // Extended codes contain the primary one in their lowest byte.
    return switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_IOERR, SQLITE_PROTOCOL: .inputOutput
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CANTOPEN, SQLITE_AUTH: .cannotOpen
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_INTERRUPT: .interrupted
    default: .other
    }
  }

  public var description: String {
    let line = "\(path): \(operation): \(wording) (SQLite \(code))"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private var wording: String {
    switch kind {
    case .busy: "another program is using it; close that one"
    case .full: "the disk is full; make room on it"
    case .readOnly: "it cannot be written; check its permissions and how the disk is mounted"
    case .inputOutput: "the disk failed (\(message)); check the disk and its cable or card"
    case .corrupt: "it is damaged (\(message)); restore it from a copy"
    case .notADatabase: "it is not a SQLite database; check the name"
    case .cannotOpen: "it cannot be opened; check that its directory exists and is writable"
    case .constraint: "the row is refused: \(message)"
    case .interrupted: "it took too long and was ended; ask for less"
    case .other: "\(message); report this as a bug"
    }
  }
}
