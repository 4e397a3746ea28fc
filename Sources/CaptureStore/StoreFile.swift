internal import Glibc

/// A store's file before it is a store: what it is, and whether it is whole.
struct StoreFile {
  var path: String
  /// The lock file beside it was there: then damage is damage, and not another program's file.
  var wasOurs: Bool

  /// A connection with the settings on which the promises rest.
  static func connect(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    // FULL: the log is synchronised with each commit; NORMAL lost hundreds of rows in power cuts.
    let mode = try database.text("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = FULL")
    guard mode == "wal" || path == ":memory:" else { throw .noLog(path) }
    return database
  }

  /// Makes an empty file that its group may read, of the same owner as another.
  static func make(_ path: String, like other: String? = nil) throws(StoreError) {
    let descriptor = retrying {
      open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, StoreAccess.mode)
    }
    guard descriptor >= 0 else { throw StoreError(path, code: errno) }
    defer { close(descriptor) }
    StoreAccess.give(descriptor, to: other ?? path)
  }

  /// What is wrong with it; `nil` when it is whole or not there. Changes nothing.
  ///
  /// - Throws: `notAStore` and `newer`, and what keeps it from being read at all.
  func damage() throws(StoreError) -> String? {
    guard let head = try firstBytes(), !head.isEmpty else { return nil }
    let log = try StoreImage.log(of: path)
    let page = log.page(1).map { Array($0.prefix(100)) }
    if let how = try Self.damage(page ?? head, path, wasOurs: wasOurs) { return how }
    // SQLite would leave out what comes behind a damaged place, and say nothing.
    if let how = log.damage { return how }
    return try stating { () throws(SQLiteError) in
      let database = try SQLiteDatabase(path: path, access: .readWrite)
      try database.keepLogOnClose()
      return try judge(database)
    }
  }

  /// The same of a copy in memory.
  func damage(of image: StoreImage) throws(StoreError) -> String? {
    if let how = try Self.damage(Array(image.page(1).prefix(100)), path, wasOurs: wasOurs) {
      return how
    }
    if let how = image.log.damage { return how }
    return try stating { () throws(SQLiteError) in
      try judge(try SQLiteDatabase(image: image.database(), path: path))
    }
  }

  private func stating(_ body: () throws(SQLiteError) -> Verdict) throws(StoreError) -> String? {
    let verdict: Verdict
    do throws(SQLiteError) { verdict = try body() } catch {
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

  /// What the first bytes show of it.
  private static func damage(
    _ head: [UInt8], _ path: String, wasOurs: Bool
  ) throws(StoreError) -> String? {
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return nil }
    // Our mark stands in the four bytes at 68.
    let mark = head.dropFirst(68).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard wasOurs || mark == Schema.applicationID else { throw StoreError(.notAStore, path: path) }
    return "it does not begin as a database"
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

  /// Up to 100 bytes; `nil` when there is no file.
  private func firstBytes() throws(StoreError) -> [UInt8]? {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError(path, code: errno)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw StoreError(path, code: errno) }
    return Array(bytes.prefix(count))
  }
}
