internal import Glibc

/// A store's file before it is a store: what it is, and whether it is whole.
struct StoreFile {
  var path: String
  /// The lock file beside it was there: then damage is damage, and not another program's file.
  var wasOurs: Bool
  /// Writing is what a log may need that a crash has left: only SQLite's own index of it changes.
  var access = SQLiteDatabase.Access.readWrite

  /// A connection with the settings on which the promises rest.
  static func connect(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    // FULL: the log is synchronised with each commit; NORMAL lost hundreds of rows in power cuts.
    let mode = try database.text("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = FULL")
    guard mode == "wal" || path == ":memory:" else { throw .noLog(path) }
    return database
  }

  /// What is wrong with it; `nil` when it is whole or not there. Changes nothing.
  ///
  /// - Throws: `notAStore` and `newer`, and what keeps it from being read at all.
  func damage() throws(StoreError) -> String? {
    guard let head = try firstBytes(), !head.isEmpty else { return nil }
    guard head == Array("SQLite format 3\0".utf8) else {
      guard wasOurs else { throw StoreError(.notAStore, path: path) }
      return "it does not begin as a database"
    }
    let verdict: Verdict
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(path: path, access: access)
      try database.keepLogOnClose()
      verdict = try judge(database)
    } catch {
      switch error.kind {
      case .corrupt, .notADatabase, .other: return error.message
      default: throw StoreError(error)
      }
    }
    switch verdict {
    case .whole: return nil
    case .damaged(let how): return how
    case .foreign: throw StoreError(.notAStore, path: path)
    case .newer(let version):
      throw StoreError(.newer(version: version, known: Schema.version), path: path)
    }
  }

  private enum Verdict {
    case whole
    case damaged(String)
    case foreign
    case newer(Int32)
  }

  private func judge(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Verdict {
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    // Made a moment before the power went, or emptied by hand.
    if tables == 0 { return .whole }
    let ours = try database.integer(
      "SELECT count(*) FROM sqlite_schema WHERE name IN ('captures', 'identity', 'identities')")
    let mark = try database.integer("PRAGMA application_id")
    guard mark == Schema.applicationID else {
      return ours == 2 && wasOurs ? .damaged("its mark is gone") : .foreign
    }
    let version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
    if version > Schema.version { return .newer(version) }
    guard ours == 2, version > 0 else { return .damaged("a table is missing") }
    // Compares the index with its table too, which quick_check does not: a capture missing in the
    // index would never be sent.
    let verdict = try database.text("PRAGMA integrity_check(1)") ?? "no answer"
    guard verdict == "ok" else { return .damaged(verdict) }
    let captures = try database.integer("SELECT count(*) FROM captures") ?? 0
    let isKnown =
      version < 3
      ? try database.integer("SELECT count(*) FROM identity") ?? 0 > 0
      : try DeviceIdentity.read(database) != nil
    if captures > 0, !isKnown { return .damaged("its identity is gone") }
    return .whole
  }

  /// Up to 16 bytes; `nil` when there is no file.
  private func firstBytes() throws(StoreError) -> [UInt8]? {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError(path, code: errno)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw StoreError(path, code: errno) }
    return Array(bytes.prefix(count))
  }
}
