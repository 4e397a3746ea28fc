internal import CSQLite

/// What SQLite could not do: one line that says what, where and what to do.
///
///     race.store: insert: the disk is full; make room on it
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds that a caller acts upon.
  public enum Kind: Sendable, Equatable {
    /// Another process holds a lock for longer than the busy timeout.
    case busy
    /// No room: the disk's, or the database's own limit of pages.
    case full
    case readOnly
    case inputOutput
    /// The content contradicts itself.
    case corrupt
    case notADatabase
    /// The file or its directory cannot be opened.
    case cannotOpen
    /// A row breaks a rule of its table, such as a key that is there already.
    case constraint
    case other
  }

  /// SQLite's extended result code (sqlite.org/rescode.html).
  public var code: Int32
  /// What was being done, in a few words.
  public var operation: String
  /// As it was given to `SQLiteDatabase`; ":memory:" for one in memory.
  public var path: String
  /// SQLite's own words.
  public var message: String

  public init(code: Int32, operation: String, path: String, message: String) {
    self.code = code
    self.operation = operation
    self.path = path
    self.message = message
  }

  /// An error that SQLite itself does not find, with the code that it would give.
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
      case .other: SQLITE_ERROR
      }
    self.init(code: code, operation: operation, path: path, message: message)
  }

  public var kind: Kind {
    // What a full disk does to the index of the log: SQLITE_IOERR_SHMSIZE, SQLITE_IOERR | 19 << 8.
    if code == SQLITE_IOERR | 19 << 8 { return .full }
    // The extended codes keep the plain one in their lowest byte.
    return switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_IOERR, SQLITE_PROTOCOL: .inputOutput
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CANTOPEN, SQLITE_AUTH: .cannotOpen
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }

  public var description: String {
    let line = "\(path): \(operation): \(wording) (SQLite \(code))"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private var wording: String {
    switch kind {
    case .busy: "another program holds it; close that one"
    case .full: "the disk is full; make room on it"
    case .readOnly: "it may not be written; check its permissions and how the disk is mounted"
    case .inputOutput: "the disk failed (\(message)); check the disk and its cable or card"
    case .corrupt: "it is damaged (\(message)); restore it from a copy"
    case .notADatabase: "it is no SQLite database; check the name"
    case .cannotOpen: "it cannot be opened; check that its directory is there and may be written"
    case .constraint: "the row is refused: \(message)"
    case .other: "\(message); this is a mistake in the program, report it"
    }
  }
}
