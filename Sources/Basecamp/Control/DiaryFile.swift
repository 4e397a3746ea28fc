import ControlRoom
import Digests
import FeatureService
import SQLite
import SystemCalls
import TrackerCore

/// Up to where a diary knows what the server has.
struct DiaryMark: Sendable, Equatable {
  /// The last capture that was stored.
  var object: Int64 = 0
  /// The last one that was refused.
  var refusal: Int64 = 0
  /// The last version of a note.
  var note: Int64 = 0
  /// The last revision of a capture.
  var revision: Int64 = 0
}

/// The diary on disk: a row for each entry, and up to where it knows what the server has.
struct DiaryFile: ~Copyable {
  private let database: SQLiteDatabase
  /// What it told of when it was opened.
  let room: Room
  let mark: DiaryMark
  /// Whether another plan, or another version of this program, makes another room of it.
  let wasReplanned: Bool
  private var chain: DiaryChain
  private static let applicationID: Int64 = 0x6469_6172
  private static let schema = """
    CREATE TABLE diary (number INTEGER PRIMARY KEY, line TEXT NOT NULL, hash TEXT NOT NULL);
    CREATE TABLE mark (object INTEGER NOT NULL);
    INSERT INTO mark VALUES (0);
    PRAGMA application_id = \(applicationID);
    """
  /// Without them the chain covers the lines.
  private static let seals = """
    ALTER TABLE diary ADD COLUMN salt TEXT NOT NULL DEFAULT '';
    ALTER TABLE diary ADD COLUMN seal TEXT NOT NULL DEFAULT '';
    """

  private static let refusals = "ALTER TABLE mark ADD COLUMN refusal INTEGER NOT NULL DEFAULT 0"

  private static let notes = "ALTER TABLE mark ADD COLUMN note INTEGER NOT NULL DEFAULT 0"

  private static let revisions = "ALTER TABLE mark ADD COLUMN revision INTEGER NOT NULL DEFAULT 0"

  static func path(in folder: String) -> String { folder + "/control.db" }

  private static func openDatabase(_ path: String) throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    if try database.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      try database.transaction { () throws(SQLiteError) in try database.execute(Self.schema) }
    }
    guard try database.integer("PRAGMA application_id") == Self.applicationID else {
      throw ServiceError("\(path): is not a control room's diary; move it away")
    }
    if try database.integer("SELECT count(*) FROM pragma_table_info('diary')") == 3 {
      try database.transaction { () throws(SQLiteError) in try database.execute(Self.seals) }
    }
    if try database.integer("SELECT count(*) FROM pragma_table_info('mark')") == 1 {
      try database.execute(Self.refusals)
    }
    if try database.integer("SELECT count(*) FROM pragma_table_info('mark')") == 2 {
      try database.execute(Self.notes)
    }
    if try database.integer("SELECT count(*) FROM pragma_table_info('mark')") == 3 {
      try database.execute(Self.revisions)
    }
    try setPermissions(0o600, of: path)
    return database
  }

  private init(path: String, _ plan: RacePlan) throws {
    let database = try Self.openDatabase(path)
    var chain = DiaryChain()
    var entries: [DiaryEntry] = []
    for row in try Self.read(database, from: 1, atMost: .max) {
      entries.append(try chain.read(row))
    }
    try chain.finish()
    let (resumed, written) = Room.resume(entries, plan)
    let mark = DiaryMark(
      object: try database.integer("SELECT object FROM mark") ?? 0,
      refusal: try database.integer("SELECT refusal FROM mark") ?? 0,
      note: try database.integer("SELECT note FROM mark") ?? 0,
      revision: try database.integer("SELECT revision FROM mark") ?? 0)
    try Self.add(written, upTo: mark, to: database, &chain)
    (room, self.mark, wasReplanned) = (resumed, mark, !written.isEmpty)
    self.chain = chain
    self.database = database
  }

  /// Opens the diary and the room that it tells of. One that cannot be replayed is kept beside a
  /// new one: the room must open at three in the morning.
  static func open(
    folder: String, _ plan: RacePlan, say: (String) -> Void
  ) throws -> DiaryFile {
    let path = path(in: folder)
    do {
      let file = try DiaryFile(path: path, plan)
      if file.wasReplanned {
        say(
          "\(path): the course, its hours or the program have changed since it was written; the "
            + "control room is made anew of all captures, with what people did")
      }
      return file
    } catch {
      let damage = (error as? SQLiteError).map { [.corrupt, .notADatabase].contains($0.kind) }
      guard damage == true || error is DiaryError else { throw error }
      let reason = (error as? DiaryError)?.texts.english ?? "\(error)"
      var number = 1
      while may(.exist, "\(folder)/control-\(number).db") { number += 1 }
      for end in ["", "-wal", "-shm"] where may(.exist, path + end) {
        try renameFile(path + end, to: "\(folder)/control-\(number).db\(end)")
      }
      say(
        "\(path): \(reason); it is kept as control-\(number).db, and a new diary begins with all "
          + "captures and without what people did")
      return try DiaryFile(path: path, plan)
    }
  }

  /// Whether the room has had accounts: it must not open to everybody because their file is gone.
  static func hadAccounts(folder: String) throws -> Bool {
    guard may(.exist, path(in: folder)) else { return false }
    return try SQLiteDatabase(path: path(in: folder), access: .readOnly)
      .integer("PRAGMA user_version") == 1
  }

  func noteAccounts() throws { try database.execute("PRAGMA user_version = 1") }

  mutating func add(_ entries: [DiaryEntry], upTo mark: DiaryMark) throws {
    try Self.add(entries, upTo: mark, to: database, &chain)
  }

  private static func add(
    _ entries: [DiaryEntry], upTo mark: DiaryMark, to database: borrowing SQLiteDatabase,
    _ chain: inout DiaryChain
  ) throws {
    var longer = chain
    let kept = entries.map { longer.seal($0, salt: newSecret()) }
    try database.transaction { () throws(SQLiteError) in
      try insert(kept, into: database)
      let end = try database.prepare(
        "UPDATE mark SET object = ?, refusal = ?, note = ?, revision = ?", isKept: true)
      try end.bind(mark.object, at: 1)
      try end.bind(mark.refusal, at: 2)
      try end.bind(mark.note, at: 3)
      try end.bind(mark.revision, at: 4)
      try end.run()
    }
    chain = longer
  }

  private static func insert(
    _ kept: [KeptEntry], into database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(
      "INSERT INTO diary (number, line, hash, salt, seal) VALUES (?, ?, ?, ?, ?)", isKept: true)
    for entry in kept {
      try row.bind(Int64(entry.number), at: 1)
      try row.bind(entry.line, at: 2)
      try row.bind(entry.hash, at: 3)
      try row.bind(entry.salt, at: 4)
      try row.bind(entry.seal, at: 5)
      try row.run()
    }
  }

  /// Takes out what a diary that nobody uses says of somebody; its chain stays whole.
  ///
  /// - Returns: the entries that are gone, and those that an earlier version has written into the
  ///   chain, which can only go with the whole diary.
  static func erase(
    _ erasure: DiaryErasure, folder: String, at now: UTC
  ) throws -> (erased: Int, kept: Int) {
    let database = try openDatabase(path(in: folder))
    let kept = try read(database, from: 1, atMost: .max)
    var chain = DiaryChain()
    for one in kept { _ = try chain.read(one) }
    let (changed, impossible) = try erasure.erase(kept)
    if changed.isEmpty { return (0, impossible.count) }
    let told = chain.seal(
      DiaryEntry(erased: changed, after: kept.count, at: now), salt: newSecret())
    try database.execute("PRAGMA secure_delete = ON")
    try database.transaction { () throws(SQLiteError) in
      let row = try database.prepare("UPDATE diary SET line = ?, salt = '' WHERE number = ?")
      for entry in changed {
        try row.bind(entry.line, at: 1)
        try row.bind(Int64(entry.number), at: 2)
        try row.run()
      }
      try insert([told], into: database)
    }
    try database.compact()
    return (changed.count, impossible.count)
  }

  /// What a diary says of somebody, as lines of JSON.
  static func lines(about erasure: DiaryErasure, folder: String) throws -> [String] {
    let database = try openDatabase(path(in: folder))
    let kept = try read(database, from: 1, atMost: .max)
    let (changed, impossible) = try erasure.erase(kept)
    let numbers = Set(changed.map(\.number) + impossible)
    return kept.filter { numbers.contains($0.number) }.map(\.line)
  }

  /// Diaries that could not be read and were put aside.
  static func othersAside(in folder: String) -> [String] {
    (1...Bounds.diariesAside).map { "\(folder)/control-\($0).db" }.filter { may(.exist, $0) }
  }

  func read(from number: Int, atMost count: Int) throws -> [KeptEntry] {
    try Self.read(database, from: number, atMost: count)
  }

  private static func read(
    _ database: borrowing SQLiteDatabase, from number: Int, atMost count: Int
  ) throws -> [KeptEntry] {
    let rows = try database.prepare(
      """
      SELECT number, line, salt, seal, hash FROM diary WHERE number >= ? ORDER BY number LIMIT ?
      """)
    try rows.bind(Int64(number), at: 1)
    try rows.bind(Int64(count), at: 2)
    var entries: [KeptEntry] = []
    while try rows.step() {
      entries.append(
        KeptEntry(
          number: Int(rows.integer(0)), line: rows.text(1), salt: rows.text(2), seal: rows.text(3),
          hash: rows.text(4)))
    }
    return entries
  }
}
