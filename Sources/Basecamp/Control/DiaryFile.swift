import ControlRoom
import Digests
import FeatureService
import SQL
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
  private let database: any SQLConnection
  /// What it told of when it was opened.
  let room: Room
  private(set) var mark: DiaryMark
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

  /// The first ones may be there already: once they were not noted.
  private static let serverMigrations = [(name: "diary", sql: serverTables)]

  private static let serverTables = """
    CREATE TABLE IF NOT EXISTS diary (number bigint PRIMARY KEY, line text NOT NULL,
      hash text NOT NULL, salt text NOT NULL DEFAULT '', seal text NOT NULL DEFAULT '');
    CREATE TABLE IF NOT EXISTS mark (only_one int PRIMARY KEY DEFAULT 1 CHECK (only_one = 1),
      object bigint NOT NULL DEFAULT 0, refusal bigint NOT NULL DEFAULT 0,
      note bigint NOT NULL DEFAULT 0, revision bigint NOT NULL DEFAULT 0, plan text);
    INSERT INTO mark DEFAULT VALUES ON CONFLICT DO NOTHING;
    """

  private static func openDatabase(_ place: CampPlace) throws -> any SQLConnection {
    let database = try place.source(.diary).connect(isReadOnly: false)
    switch database.dialect {
    case .sqlite: try prepareFile(database)
    case .postgreSQL: try database.migrate(serverMigrations, notedIn: "diary_migration")
    }
    return database
  }

  private static func prepareFile(_ database: any SQLConnection) throws {
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    if try database.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      try database.transaction { () throws(SQLError) in try database.execute(Self.schema) }
    }
    guard try database.integer("PRAGMA application_id") == Self.applicationID else {
      throw ServiceError("\(database.name): is not a control room's diary; move it away")
    }
    if try database.integer("SELECT count(*) FROM pragma_table_info('diary')") == 3 {
      try database.transaction { () throws(SQLError) in try database.execute(Self.seals) }
    }
    let columns = try database.integer("SELECT count(*) FROM pragma_table_info('mark')") ?? 0
    for change in [refusals, notes, revisions].dropFirst(max(0, Int(columns) - 1)) {
      try database.execute(change)
    }
    try setPermissions(0o600, of: database.name)
  }

  private static func readMark(_ database: any SQLConnection) throws(SQLError) -> DiaryMark {
    let row = try database.prepare("SELECT object, refusal, note, revision FROM mark")
    guard try row.step() else { return DiaryMark() }
    let mark = DiaryMark(
      object: row.integer(0), refusal: row.integer(1), note: row.integer(2),
      revision: row.integer(3))
    row.reset()
    return mark
  }

  private init(
    at place: CampPlace, _ plan: RacePlan, table: [RosterTeam], isAlone: Bool
  ) throws {
    let database = try Self.openDatabase(place)
    var chain = DiaryChain()
    let mark = try Self.readMark(database)
    var entries: [DiaryEntry] = []
    try Self.forEach(in: database, from: 1, atMost: .max) { entries.append(try chain.read($0)) }
    try chain.finish()
    let (resumed, written) = Room.resume(entries, plan)
    let isSame = try Self.isSamePlan(plan, table, in: database, isAlone: isAlone)
    guard isSame, written.isEmpty || isAlone else {
      throw ServiceError(
        "\(database.name): another basecamp is at work for this race with another course, other "
          + "hours, other teams or another version; start this one with the same, or stop that one")
    }
    try Self.add(written, upTo: mark, after: mark, to: database, &chain)
    (room, self.mark, wasReplanned) = (resumed, mark, !written.isEmpty)
    self.chain = chain
    self.database = database
  }

  /// Whether all basecamps at work have the same plan. Whoever is alone sets it. Teams that people
  /// have written down in the room are the same for all.
  private static func isSamePlan(
    _ plan: RacePlan, _ table: [RosterTeam], in database: any SQLConnection, isAlone: Bool
  ) throws(SQLError) -> Bool {
    guard database.dialect == .postgreSQL else { return true }
    let teams = table.map { "\($0.number)\t\($0.name)\n" }.joined()
    let mark = sha256(plan.mark + teams)
    let row = try database.prepare(
      isAlone
        ? "UPDATE mark SET plan = ? RETURNING 1"
        : "SELECT count(*) FROM mark WHERE coalesce(plan, ?1) = ?1", isKept: true)
    try row.bind(mark, at: 1)
    return try row.onlyNumber() == 1
  }

  /// What another basecamp has written since, and up to where it knows what the server has.
  ///
  /// - Parameter use: is what makes the room of it; only after that it has been read.
  mutating func follow(_ use: ([DiaryEntry], DiaryMark) throws -> Void) throws {
    // In one statement: of one time.
    let rows = try database.prepare(
      """
      SELECT number, line, salt, seal, hash, object, refusal, note, revision
      FROM mark LEFT JOIN diary ON number > ? ORDER BY number
      """, isKept: true)
    try rows.bind(Int64(chain.count), at: 1)
    var longer = chain
    var entries: [DiaryEntry] = []
    var mark = mark
    while try rows.step() {
      mark = DiaryMark(
        object: rows.integer(5), refusal: rows.integer(6), note: rows.integer(7),
        revision: rows.integer(8))
      if !rows.isNull(0) { entries.append(try longer.read(Self.entry(rows))) }
    }
    try use(entries, mark)
    (chain, self.mark) = (longer, mark)
  }

  /// The room of all that is written, after `follow` could make none of what is new.
  mutating func reread(_ plan: RacePlan) throws -> Room {
    var whole = DiaryChain()
    let mark = try Self.readMark(database)
    var entries: [DiaryEntry] = []
    try Self.forEach(in: database, from: 1, atMost: .max) { entries.append(try whole.read($0)) }
    (chain, self.mark) = (whole, mark)
    return Room.resume(entries, plan).room
  }

  /// Opens the diary and the room that it tells of. One that cannot be replayed is kept beside a
  /// new one: the room must open at three in the morning.
  ///
  /// - Parameters:
  ///   - table: the organisers' teams, without what people have changed since.
  ///   - isAlone: no other basecamp writes it.
  static func open(
    at place: CampPlace, _ plan: RacePlan, table: [RosterTeam], isAlone: Bool = true,
    say: (String) -> Void
  ) throws -> DiaryFile {
    let name = place.name(.diary)
    do {
      let file = try DiaryFile(at: place, plan, table: table, isAlone: isAlone)
      if file.wasReplanned {
        say(
          "\(name): the course, its hours or the program have changed since it was written; the "
            + "control room is made anew of all captures, with what people did")
      }
      return file
    } catch {
      guard (error as? SQLError)?.kind == .damaged || error is DiaryError, isAlone else {
        throw error
      }
      let reason = (error as? DiaryError)?.texts.english ?? "\(error)"
      let other = try putAside(place)
      say(
        "\(name): \(reason); it is kept as \(other), and a new diary begins with all "
          + "captures and without what people did")
      return try DiaryFile(at: place, plan, table: table, isAlone: true)
    }
  }

  /// - Returns: what it is called from now on.
  private static func putAside(_ place: CampPlace) throws -> String {
    var number = 1
    switch place {
    case .folder(let folder):
      while may(.exist, "\(folder)/control-\(number).db") { number += 1 }
      let path = place.name(.diary)
      for end in ["", "-wal", "-shm"] where may(.exist, path + end) {
        try renameFile(path + end, to: "\(folder)/control-\(number).db\(end)")
      }
      return "control-\(number).db"
    case .server:
      let database = try place.source(.diary).connect(isReadOnly: false)
      func isThere(_ name: String) throws(SQLError) -> Bool {
        try database.integer("SELECT to_regclass('\(name)') IS NOT NULL") == 1
      }
      while try isThere("diary_\(number)") { number += 1 }
      try database.transaction { () throws(SQLError) in
        try database.execute(
          "ALTER TABLE diary RENAME TO diary_\(number); DROP TABLE mark, diary_migration")
      }
      return "diary_\(number)"
    }
  }

  /// Whether the room has had accounts: it must not open to everybody because their file is gone.
  static func hadAccounts(at place: CampPlace) throws -> Bool {
    // A server has both in one place.
    guard place.folder != nil, place.has(.diary) else { return false }
    return try place.source(.diary).connect(isReadOnly: true)
      .integer("PRAGMA user_version") == 1
  }

  func noteAccounts() throws {
    if database.dialect == .sqlite { try database.execute("PRAGMA user_version = 1") }
  }

  mutating func add(_ entries: [DiaryEntry], upTo mark: DiaryMark) throws {
    try Self.add(entries, upTo: mark, after: self.mark, to: database, &chain)
    self.mark = mark
  }

  private static func add(
    _ entries: [DiaryEntry], upTo mark: DiaryMark, after known: DiaryMark,
    to database: any SQLConnection, _ chain: inout DiaryChain
  ) throws {
    var longer = chain
    let kept = entries.map { longer.seal($0, salt: newSecret()) }
    try database.transaction { () throws(SQLError) in
      try insert(kept, into: database)
      let end = try database.prepare(
        """
        UPDATE mark SET object = ?, refusal = ?, note = ?, revision = ?
        WHERE object = ? AND refusal = ? AND note = ? AND revision = ?
        """, isKept: true)
      try end.bind(mark.object, at: 1)
      try end.bind(mark.refusal, at: 2)
      try end.bind(mark.note, at: 3)
      try end.bind(mark.revision, at: 4)
      try end.bind(known.object, at: 5)
      try end.bind(known.refusal, at: 6)
      try end.bind(known.note, at: 7)
      try end.bind(known.revision, at: 8)
      guard try end.run() == 1 else {
        throw SQLError(.constraint, "\(database.name): another basecamp has written the diary")
      }
      if !kept.isEmpty { try database.tell("diary") }
    }
    chain = longer
  }

  private static func insert(
    _ kept: [KeptEntry], into database: any SQLConnection
  ) throws(SQLError) {
    for start in stride(from: 0, to: kept.count, by: Bounds.diaryRowsAtOnce) {
      let part = kept[start..<min(start + Bounds.diaryRowsAtOnce, kept.count)]
      let isWhole = part.count == Bounds.diaryRowsAtOnce
      // Those that are left are inserted one by one: few statements are kept.
      for rows in isWhole ? [part] : part.indices.map({ kept[$0...$0] }) {
        let marks = rows.map { _ in "(?, ?, ?, ?, ?)" }.joined(separator: ", ")
        let row = try database.prepare(
          "INSERT INTO diary (number, line, hash, salt, seal) VALUES \(marks)", isKept: true)
        for (index, entry) in zip(stride(from: Int32(1), to: .max, by: 5), rows) {
          try row.bind(Int64(entry.number), at: index)
          try row.bind(entry.line, at: index + 1)
          try row.bind(entry.hash, at: index + 2)
          try row.bind(entry.salt, at: index + 3)
          try row.bind(entry.seal, at: index + 4)
        }
        try row.run()
      }
    }
  }

  /// Takes out what a diary that nobody uses says of somebody; its chain stays whole.
  ///
  /// - Returns: the entries that are gone, and those that an earlier version has written into the
  ///   chain, which can only go with the whole diary.
  static func erase(
    _ erasure: DiaryErasure, at place: CampPlace, at now: UTC
  ) throws -> (erased: Int, kept: Int) {
    let database = try openDatabase(place)
    let kept = try read(database, from: 1, atMost: .max)
    var chain = DiaryChain()
    for one in kept { _ = try chain.read(one) }
    let (changed, impossible) = try erasure.erase(kept)
    if changed.isEmpty { return (0, impossible.count) }
    let told = chain.seal(
      DiaryEntry(erased: changed, after: kept.count, at: now), salt: newSecret())
    try database.forgetDeleted()
    try database.transaction { () throws(SQLError) in
      let row = try database.prepare("UPDATE diary SET line = ?, salt = '' WHERE number = ?")
      for entry in changed {
        try row.bind(entry.line, at: 1)
        try row.bind(Int64(entry.number), at: 2)
        try row.run()
      }
      try insert([told], into: database)
    }
    try database.compact(["diary"])
    return (changed.count, impossible.count)
  }

  /// What a diary says of somebody, as lines of JSON.
  static func lines(about erasure: DiaryErasure, at place: CampPlace) throws -> [String] {
    let database = try openDatabase(place)
    let kept = try read(database, from: 1, atMost: .max)
    let (changed, impossible) = try erasure.erase(kept)
    let numbers = Set(changed.map(\.number) + impossible)
    return kept.filter { numbers.contains($0.number) }.map(\.line)
  }

  /// Diaries that could not be read and were put aside.
  static func othersAside(at place: CampPlace) -> [String] {
    guard let folder = place.folder else { return [] }
    return (1...Bounds.diariesAside).map { "\(folder)/control-\($0).db" }.filter { may(.exist, $0) }
  }

  func read(from number: Int, atMost count: Int) throws -> [KeptEntry] {
    try Self.read(database, from: number, atMost: count)
  }

  private static func read(
    _ database: any SQLConnection, from number: Int, atMost count: Int
  ) throws -> [KeptEntry] {
    var entries: [KeptEntry] = []
    try forEach(in: database, from: number, atMost: count) { entries.append($0) }
    return entries
  }

  /// Some at a time: a server gives no statement as long as a whole race's diary takes.
  private static func forEach(
    in database: any SQLConnection, from number: Int, atMost count: Int,
    _ body: (KeptEntry) throws -> Void
  ) throws {
    let rows = try database.prepare(
      """
      SELECT number, line, salt, seal, hash FROM diary WHERE number >= ? ORDER BY number LIMIT ?
      """, isKept: true)
    var (next, left) = (number, count)
    while left > 0 {
      let page = min(left, Bounds.diaryRowsRead)
      try rows.bind(Int64(next), at: 1)
      try rows.bind(Int64(page), at: 2)
      var read = 0
      while try rows.step() {
        let entry = entry(rows)
        try body(entry)
        (next, read) = (entry.number + 1, read + 1)
      }
      if read < page { return }
      left -= read
    }
  }

  private static func entry(_ row: any SQLStatement) -> KeptEntry {
    KeptEntry(
      number: Int(row.integer(0)), line: row.text(1), salt: row.text(2), seal: row.text(3),
      hash: row.text(4))
  }
}
