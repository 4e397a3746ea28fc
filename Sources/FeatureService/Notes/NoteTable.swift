public import Notes
import SQL
public import TrackerCore
import Wording

/// The table of notes, beside that of messages: trackers and the room add rows, which are versions
/// of notes, and nobody changes any.
extension Layer {
  static let notes = Layer(
    id: 2, name: "Notes", geometry: nil,
    fields: [
      Field(name: "OBJECTID", kind: .objectID),
      Field(name: "Desti", kind: .text(length: 50)),
      Field(name: "Versio", kind: .text(length: 50)),
      Field(name: "Nota", kind: .text(length: 50)),
      Field(name: "Vist", kind: .text(length: 400)),
      Field(name: "Text", kind: .text(length: NoteBounds.textScalars)),
      Field(name: "Categoria", kind: .text(length: NoteBounds.categoryScalars)),
      Field(name: "Autor", kind: .text(length: NoteBounds.authorScalars)),
      Field(name: "Creat", kind: .date),
    ], table: "note", isEditable: true)

  var isNotes: Bool { table == "note" }
}

/// A version of a note as it is stored.
public struct StoredNote: Sendable, Equatable {
  public var object: Int64
  /// The code of the tracker whose team it is about.
  public var device: String
  public var version: NoteVersion
}

extension StoredNote {
  /// Validates a row that a tracker adds.
  init(_ feature: IncomingFeature) throws(ItemError) {
    let row = try TableRow(feature, of: .notes)
    let device = try row.required(text: "Desti")
    let version = NoteVersion(
      id: try row.text("Versio") ?? "", note: try row.text("Nota") ?? "",
      seen: try row.text("Vist") ?? "", text: try row.text("Text"),
      category: try row.text("Categoria") ?? "", author: try row.text("Autor") ?? "",
      written: try row.integer("Creat").map { UTC(milliseconds: $0) })
    guard let version else { throw .noVersion }
    guard version.id.writer != VersionID.room else { throw .ofTheRoom }
    self.init(object: 0, device: device, version: version)
  }
}

extension ItemError {
  static let noVersion = ItemError(
    code: 1020, description: "Versio, Nota and Vist do not name versions of a note.")
  static let ofTheRoom = ItemError(
    code: 1018, description: "Not allowed: only the control room writes as room.")
  static let tooManyNotes = ItemError(
    code: 1021, description: "The team has \(NoteBounds.versionsKept) versions of notes already.")
}

extension FeatureServer {
  static let onlyAdds = "of this table, rows are only added (addFeatures)."

  /// The notes of the team with a tracker.
  public func notebook(of device: String) throws -> Notebook {
    Notebook(try store.notes(of: device).map(\.version))
  }

  /// Takes what somebody in the room does with notes.
  ///
  /// - Throws: `NoteError`, or an error of the database, of one line.
  public func write(
    _ change: NoteChange, of device: String, by author: String, at now: UTC
  ) throws {
    try store.write(change, of: device, by: author, at: now)
  }

  /// The versions after a row, in the order in which they were stored.
  public func notes(after object: Int64, atMost count: Int) throws -> [StoredNote] {
    try store.notes(after: object, atMost: count)
  }
}

extension FeatureStore {
  private static let columns =
    "OBJECTID, Desti, Versio, Nota, Vist, Text, Categoria, Autor, Creat"

  fileprivate func notes(of device: String) throws -> [StoredNote] {
    try withEngine { engine in try Self.notes(of: device, engine) }
  }

  private static func notes(
    of device: String, _ engine: borrowing Engine
  ) throws(SQLError) -> [StoredNote] {
    let rows = try engine.database.prepare(
      "SELECT \(columns) FROM note WHERE Desti = ? ORDER BY OBJECTID", isKept: true)
    try rows.bind(device, at: 1)
    return try all(rows)
  }

  fileprivate func notes(after object: Int64, atMost count: Int) throws -> [StoredNote] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        "SELECT \(Self.columns) FROM note WHERE OBJECTID > ? ORDER BY OBJECTID LIMIT ?",
        isKept: true)
      try rows.bind(object, at: 1)
      try rows.bind(Int64(count), at: 2)
      return try Self.all(rows)
    }
  }

  private static func all(
    _ rows: any SQLStatement
  ) throws(SQLError) -> [StoredNote] {
    var notes: [StoredNote] = []
    while try rows.step() {
      let version = NoteVersion(
        id: rows.text(2), note: rows.text(3), seen: rows.text(4),
        text: rows.isNull(5) ? nil : rows.text(5), category: rows.text(6), author: rows.text(7),
        written: rows.isNull(8) ? nil : UTC(milliseconds: rows.integer(8)))
      guard let version else { continue }
      notes.append(
        StoredNote(object: rows.integer(0), device: rows.text(1), version: version))
    }
    return notes
  }

  fileprivate func write(
    _ change: NoteChange, of device: String, by author: String, at now: UTC
  ) throws {
    try withEngine { engine in
      var book = Notebook(try Self.notes(of: device, engine).map(\.version))
      let version = try book.change(change, by: VersionID.room, author: author, at: now)
      try engine.database.transaction { () throws(SQLError) in
        _ = try Self.insert(StoredNote(object: 0, device: device, version: version), engine, now)
        try engine.database.tell(FeatureServer.letters)
      }
    }
    messageVersion.withLock { $0 += 1 }
  }

  /// Adds a tracker's version; one that is there already is added once.
  static func add(
    _ note: StoredNote, _ engine: borrowing Engine, _ now: UTC
  ) throws(SQLError) -> ItemResult {
    let alike = try engine.database.prepare(
      "SELECT \(columns) FROM note WHERE Desti = ? AND Versio = ? ORDER BY OBJECTID", isKept: true)
    try alike.bind(note.device, at: 1)
    try alike.bind(note.version.id.text, at: 2)
    if let same = try all(alike).first(where: { $0.version == note.version }) {
      return ItemResult(outcome: .done(objectID: same.object))
    }
    let known = try engine.database.prepare(
      "SELECT count(*) FROM note WHERE Desti = ?", isKept: true)
    try known.bind(note.device, at: 1)
    guard try known.onlyNumber() < NoteBounds.versionsKept else {
      return ItemResult(outcome: .refused(.tooManyNotes))
    }
    return ItemResult(outcome: .done(objectID: try insert(note, engine, now)))
  }

  private static func insert(
    _ note: StoredNote, _ engine: borrowing Engine, _ now: UTC
  ) throws(SQLError) -> Int64 {
    let row = try engine.database.prepare(
      """
      INSERT INTO note (Desti, Versio, Nota, Vist, Text, Categoria, Autor, Creat, arrived)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING OBJECTID
      """, isKept: true)
    try row.bind(note.device, at: 1)
    try row.bind(note.version.id.text, at: 2)
    try row.bind(note.version.note.text, at: 3)
    try row.bind(note.version.seenText, at: 4)
    try row.bind(note.version.text, at: 5)
    try row.bind(note.version.category, at: 6)
    try row.bind(note.version.author, at: 7)
    try row.bind(note.version.written?.milliseconds, at: 8)
    try row.bind(now.milliseconds, at: 9)
    return try row.onlyNumber()
  }
}
