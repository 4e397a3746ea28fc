internal import SQLite
internal import SystemCalls

/// Checks a file before it is opened as a store: what it is, and whether it is damaged.
struct StoreFile {
  var path: String
  /// Whether its lock file existed: then unreadable content is damage, not another program's file.
  var wasOurs: Bool

  /// What is wrong with a file that looks as if it had never been written, while its lock file
  /// says that a device has captured into it.
  static let lost = "its content is gone"

  /// A connection with the settings that durability depends on.
  static func connect(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase.store(path: path)
    // FULL flushes the log at each commit; with NORMAL hundreds of rows were lost in power cuts.
    let mode = try database.text("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = FULL")
    guard mode == "wal" || path == ":memory:" else { throw .noLog(path) }
    return database
  }

  /// Creates an empty file that its group may read, with the same owner as another.
  static func make(_ path: String, like other: String? = nil) throws(StoreError) {
    do throws(SystemError) {
      let file = try Descriptor(
        opening: path, [.readWrite, .create, .exclusive], mode: StoreAccess.mode)
      StoreAccess.give(file, path, like: other)
    } catch {
      throw StoreError(path, code: error.code)
    }
  }

  /// What is wrong with it; `nil` when it is undamaged or does not exist. Changes nothing.
  ///
  /// - Throws: `notAStore`, `newer`, and errors of reading it.
  func damage() throws(StoreError) -> String? {
    guard let head = try firstBytes() else { return nil }
    let log = try StoreImage.log(of: path)
    // SQLite would delete the log of an empty file.
    if head.isEmpty {
      return log.committedPages == nil ? log.damage : "it is empty, and its log is not"
    }
    let page = log.page(1).map { Array($0.prefix(100)) }
    if let how = try Self.damage(page ?? head, path, wasOurs: wasOurs) { return how }
    // SQLite would silently ignore everything after a damaged frame.
    if let how = log.damage { return how }
    return try judging { () throws(SQLiteError) in
      let database = try SQLiteDatabase.store(path: path, access: .readWrite)
      try database.keepLogOnClose()
      return try judge(database)
    }
  }

  /// The same for a copy in memory.
  func damage(of image: StoreImage) throws(StoreError) -> String? {
    if let how = try Self.damage(Array(image.page(1).prefix(100)), path, wasOurs: wasOurs) {
      return how
    }
    if let how = image.log.damage { return how }
    return try judging { () throws(SQLiteError) in
      try judge(try SQLiteDatabase.store(image: image.database(), path: path))
    }
  }

  /// Whether nothing of it is missing: the log has every frame, and with wrong bytes put right it
  /// is an undamaged store. Then its last capture is the last one that was announced, as in any
  /// other.
  func isComplete(_ image: StoreImage) -> Bool {
    guard image.log.isComplete else { return false }
    do throws(SQLiteError) {
      let database = try SQLiteDatabase.store(image: image.database(), path: path)
      guard case .whole = try judge(database) else { return false }
      return try DamagedRows.setAsideAll(in: database) == 0
    } catch {
      return false
    }
  }

  private func judging(_ body: () throws(SQLiteError) -> Verdict) throws(StoreError) -> String? {
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

  /// What the first bytes show.
  private static func damage(
    _ head: [UInt8], _ path: String, wasOurs: Bool
  ) throws(StoreError) -> String? {
    let isOurs = wasOurs || StoreImage.isMarked(head)
    if head.starts(with: Array("SQLite format 3\0".utf8)) {
      // Otherwise SQLite takes it for a file that it may not write, or of another layout: fixed
      // values, and 1 or 2 for the read and write versions (sqlite.org/fileformat2.html §1.3).
      let isWhole =
        head.count < 24
        || head[18...19].allSatisfy { $0 == 1 || $0 == 2 } && head[20...23] == [0, 64, 32, 32]
      return isWhole || !isOurs ? nil : "its header is damaged"
    }
    guard isOurs else { throw StoreError(.notAStore, path: path) }
    return "it does not begin like a database"
  }

  private enum Verdict {
    case whole
    case damaged(String)
    case foreign
    case newer(Int32)
  }

  private func judge(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Verdict {
    let found = try Schema.objects(of: database)
    let mark = try database.integer("PRAGMA application_id") ?? 0
    let version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
    if found.isEmpty, mark == 0, version == 0,
      try database.integer("PRAGMA page_count") ?? 0 <= 1
    {
      // Created just before a power cut, or emptied by hand.
      return .whole
    }
    guard mark == Schema.applicationID, (1...Schema.version).contains(version) else {
      // If the tables are those of a known version, the mark or the version is damaged.
      for known in 1...Schema.version where try Schema.objects(version: known) == found {
        return .damaged("its mark or version is damaged")
      }
      if mark == Schema.applicationID, version > Schema.version { return .newer(version) }
      let isOurs = wasOurs && found.contains { $0.hasPrefix("table captures ") }
      return mark == Schema.applicationID || isOurs ? .damaged("its mark is gone") : .foreign
    }
    // People may add views and other objects.
    guard try Schema.objects(version: version).isSubset(of: found) else {
      return .damaged("its schema is damaged")
    }
    // Also compares the index with its table, unlike quick_check: a capture missing in the index
    // would never be sent.
    let verdict = try database.text("PRAGMA integrity_check(1)") ?? "no answer"
    guard verdict == "ok" else { return .damaged(verdict) }
    return try judgeIdentity(database, version)
  }

  private func judgeIdentity(
    _ database: borrowing SQLiteDatabase, _ version: Int32
  ) throws(SQLiteError) -> Verdict {
    let table = version < Schema.Migration.devices.version ? "identity" : "identities"
    let count = try database.integer("SELECT count(*) FROM \(table)") ?? 0
    if version >= Schema.Migration.checksums.version, try DeviceIdentity.all(database).count < count
    {
      return .damaged("an identity is damaged")
    }
    let captures = try database.integer("SELECT count(*) FROM captures") ?? 0
    return captures > 0 && count == 0 ? .damaged("its identity is gone") : .whole
  }

  /// Up to 100 bytes; `nil` when there is no file.
  private func firstBytes() throws(StoreError) -> [UInt8]? {
    do throws(SystemError) {
      return try Descriptor(opening: path, .read).firstBytes(atMost: 100)
    } catch {
      if error.code == Errno.noSuchFile { return nil }
      throw StoreError(path, code: error.code)
    }
  }
}
