public import Notes
internal import SQLite
public import TrackerCore

// Versions of notes are only added: what a server has told, and what people wrote here. Unlike
// messages they belong to the team, whichever of a store's devices wrote them.
extension CaptureStore {
  /// All that is known of notes, without damaged rows.
  public func notebook() throws(StoreError) -> Notebook {
    try stating { () throws(SQLiteError) in
      Notebook(try NoteRow.all(NoteRow.Column.query, of: database))
    }
  }

  /// Writes down what somebody at the tracker says, durably, until a server has it, and returns the
  /// note's name there.
  ///
  /// - Throws: `NoteError` or `StoreError`, both of one line.
  public func write(_ order: NoteOrder, by author: String, at now: UTC?) throws -> String {
    let writer = device.lowercaseText
    var book = try notebook()
    let change = try order.change(in: book, for: writer)
    let version = try book.change(change, by: writer, author: author, at: now)
    try keep([version])
    return Notebook.name(version.note, for: writer)
  }

  /// Writes versions to disk, durably, except those that are there.
  ///
  /// - Parameter object: the number of the row in which the server has a version; 0: the server has
  ///   it, in a row that is not known; `nil`: it was written here.
  public func keep(
    _ versions: [NoteVersion], at object: (NoteVersion) -> Int64? = { _ in nil }
  ) throws(StoreError) {
    guard !versions.isEmpty else { return }
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        for version in versions {
          try NoteRow.keep(version, at: object(version), in: database)
        }
      }
    }
  }

  /// The versions that no server is known to have, the oldest first.
  public func unsentNotes(atMost count: Int) throws(StoreError) -> [NoteVersion] {
    try stating { () throws(SQLiteError) in
      try NoteRow.all(
        "\(NoteRow.Column.query) AND object IS NULL ORDER BY id LIMIT \(count)", of: database)
    }
  }

  /// The version in the server's last known row, and the row's number.
  public func lastServedNote() throws(StoreError) -> (version: NoteVersion, object: Int64)? {
    try stating { () throws(SQLiteError) in
      let row = try database.prepare(
        "\(NoteRow.Column.query) AND object > 0 ORDER BY object DESC LIMIT 1", isKept: true)
      guard try row.step(), let version = NoteRow.version(row) else { return nil }
      let object = row.integer(NoteRow.Column.object)
      row.reset()
      return (version, object)
    }
  }

  /// The server's table is another one: in which of its rows it has versions is not known any more.
  public func forgetServedRows() throws(StoreError) {
    try stating { () throws(SQLiteError) in
      try database.execute(NoteRow.Column.update([("object", "0")], where: "object > 0"))
    }
  }
}

/// Rows of the table `notes`. They are salvaged from a damaged file, and a second store takes them
/// over.
enum NoteRow {
  enum Column: Int32, StoreColumn {
    case id, object, version, note, seen, text, category, author, written

    static let table = "notes"
  }

  /// For rows read without SQLite: a free page may have one from before a server had it.
  static let insertionIfLater = """
    INSERT OR REPLACE INTO notes (\(Column.list), checksum) SELECT \(Column.values)
    WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = ?1 AND object >= coalesce(?2, 0))
    """

  static func mayBe(_ record: RawRecord) -> Bool {
    [Column.version, .note].allSatisfy { column in
      record.text(column.index).flatMap { VersionID($0) } != nil
    }
  }

  fileprivate static func keep(
    _ version: NoteVersion, at object: Int64?, in database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    // The same in all that it says, so that no two versions are ever taken for one.
    let known = try database.prepare(
      """
      SELECT id, object FROM notes WHERE version = ?1 AND note = ?2 AND seen = ?3 AND text IS ?4
        AND category = ?5 AND author = ?6 AND written IS ?7 AND \(Column.isWhole)
      """, isKept: true)
    try bind(version, to: known, from: 1)
    if try known.step() {
      let (id, row) = (known.integer(0), known.isNull(1) ? -1 : known.integer(1))
      known.reset()
      guard let object, object > row else { return }
      let update = try database.prepare(
        Column.update([("object", "?1")], where: "id = ?2"), isKept: true)
      try update.bind(object, at: 1)
      try update.bind(id, at: 2)
      try update.run()
      return
    }
    known.reset()
    let id = try database.integer("SELECT coalesce(max(id), 0) + 1 FROM notes") ?? 1
    let row = try database.prepare(Column.insert, isKept: true)
    try row.bind(id, at: Column.id)
    try row.bind(object, at: Column.object)
    try bind(version, to: row, from: Column.version.parameter)
    try row.run()
  }

  private static func bind(
    _ version: NoteVersion, to row: borrowing SQLiteStatement, from first: Int32
  ) throws(SQLiteError) {
    try row.bind(version.id.text, at: first)
    try row.bind(version.note.text, at: first + 1)
    try row.bind(version.seenText, at: first + 2)
    try row.bind(version.text, at: first + 3)
    try row.bind(version.category, at: first + 4)
    try row.bind(version.author, at: first + 5)
    try row.bind(version.written?.milliseconds, at: first + 6)
  }

  fileprivate static func all(
    _ query: String, of database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> [NoteVersion] {
    let rows = try database.prepare(query)
    var versions: [NoteVersion] = []
    while try rows.step() {
      if let version = version(rows) { versions.append(version) }
    }
    return versions
  }

  fileprivate static func version(_ row: borrowing SQLiteStatement) -> NoteVersion? {
    let written: Int64? = row.number(Column.written)
    return NoteVersion(
      id: row.text(Column.version), note: row.text(Column.note), seen: row.text(Column.seen),
      text: row.isNull(Column.text) ? nil : row.text(Column.text),
      category: row.text(Column.category), author: row.text(Column.author),
      written: written.map { UTC(milliseconds: $0) })
  }

  /// Takes over what another store has, beside what is there.
  static func copy(
    _ source: borrowing SQLiteDatabase, to target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let rows = try source.prepare(Column.query + " ORDER BY id")
    while try rows.step() {
      guard let version = version(rows) else { continue }
      try keep(version, at: rows.number(Column.object), in: target)
    }
  }
}
