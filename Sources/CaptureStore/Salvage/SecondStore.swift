internal import SQLite
internal import TrackerCore
public import Wording

/// A store that stood in for one that could not be used. Its content is moved there when that one
/// can be used again.
struct SecondStore {
  var path: String
  var disk = Disk()

  /// What happened to it; empty if there was none.
  struct Outcome {
    /// How many captures were taken over.
    var takenIn: Int?
    var damage: SecondDamage?
    /// Its rows that were found damaged.
    var damagedRows = 0
    /// Set if it was not taken over.
    var leftover: WaitingStore?
  }

  /// Also if its own salvage was interrupted between two renames.
  var isThere: Bool {
    Disk.isThere(path) || !Disk.files(beginning: path + ".salvaged-").isEmpty
  }

  /// Created just before a power cut: it has never contained anything.
  var isEmpty: Bool {
    Disk.size(of: path) == 0 && Disk.size(of: path + "-wal") == 0
      && !StoreLock.mark(ofStore: path).isThere
  }

  /// Takes over its captures, each with its device, and what it remembers, and removes its files,
  /// or moves them aside if something in it is damaged. A power cut in between does no harm:
  /// existing captures are not copied again.
  ///
  /// - Parameter database: the first store's, which has an identity.
  /// - Returns: the result, including why it waits: no error here prevents opening the first store.
  func move(into database: borrowing SQLiteDatabase, at now: UTC) -> Outcome {
    guard database.path != ":memory:", isThere else { return Outcome() }
    do throws(StoreError) {
      // A process that has it open, such as `trackerctl push`, keeps it until a later start.
      let lock = try StoreLock(store: path)
      do throws(StoreError) {
        let salvage = try SalvageSteps(path: path, mark: lock.mark).finishInterrupted(at: now)
        var outcome = try takeIn(database, wasOurs: lock.wasThere, at: now)
        if outcome.damage == nil { outcome.damage = salvage.map(SecondDamage.init) }
        lock.remove()
        return outcome
      } catch {
        if case .notAStore = error.kind { lock.undo() }
        throw error
      }
    } catch {
      // Orders given while it stood in apply from now on; its captures can wait.
      if error.kind == .inUse, let reader = try? CaptureStore.openForReading(path) {
        try? takeOn(reader, database)
      }
      return Outcome(leftover: waiting(error))
    }
  }

  private func takeIn(
    _ database: borrowing SQLiteDatabase, wasOurs: Bool, at now: UTC
  ) throws(StoreError) -> Outcome {
    var outcome = Outcome(takenIn: 0)
    if isEmpty {
      try removeFiles()
      return outcome
    }
    let reader = try CaptureStore.openForReading(path, wasOurs: wasOurs)
    try takeOn(reader, database)
    outcome.takenIn = try copy(reader, database)
    outcome.damagedRows = reader.damagedRows
    guard let problem = reader.damage?.texts ?? Self.problem(reader.damagedRows) else {
      try removeFiles()
      return outcome
    }
    outcome.damage = SecondDamage(
      problem: problem, recovered: reader.tally.rows, movedTo: try moveAside(at: now))
    return outcome
  }

  private static func problem(_ damagedRows: Int) -> Texts? {
    damagedRows > 0 ? StorePhrase.damagedRows.texts("\(damagedRows)") : nil
  }

  /// Why it was not taken over.
  func waiting(_ error: StoreError) -> WaitingStore {
    let needed = 2 * Disk.size(of: path) + Disk.size(of: path + "-wal") + StoreBounds.salvageMargin
    let (cause, problem): (WaitingStore.Cause, Texts) =
      switch error.kind {
      case .diskFull: (.room(neededBytes: needed), error.detail)
      case .inUse: (.inUse, StorePhrase.openElsewhere.texts)
      case .notAStore: (.other, StorePhrase.notAStoreMove.texts)
      case .newer, .older, .ambiguous, .outOfTurn, .storeFull, .readOnly, .inputOutput, .busy,
        .damaged, .cannotOpen, .missing, .gone, .linked:
        (.other, error.reason)
      }
    return WaitingStore(path: path, cause: cause, problem: problem)
  }

  // MARK: Files

  private func removeFiles() throws(StoreError) {
    // The log first: without it the file contains less, all of which has been taken over.
    for part in ["-wal", "-shm", ""] { try disk.remove(path + part) }
  }

  /// - Returns: where its file is now.
  private func moveAside(at now: UTC) throws(StoreError) -> String {
    let aside = "\(path).damaged-\(SalvageSteps(path: path).freeTime(at: now))"
    // The log first: left alone it would be taken for the log of the next second store.
    for part in ["-wal", ""] where Disk.isThere(path + part) {
      try disk.move(path + part, to: aside + part)
    }
    try disk.remove(path + "-shm")
    return aside
  }

  // MARK: Rows

  /// Inserts its devices before the current one, which continues to capture. What it remembers is
  /// newer than what the first store remembers, unless the first store knows its device: then it
  /// was taken over before, and the first store has continued since.
  private func takeOn(
    _ reader: CaptureStore, _ database: borrowing SQLiteDatabase
  ) throws(StoreError) {
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        let known = try DeviceIdentity.all(database)
        var new: [DeviceIdentity] = []
        for var one in try DeviceIdentity.all(reader.database)
        where !known.contains(where: { $0.device == one.device }) {
          // If no identity could be read, this one was created for the reader.
          let last = try one.lastSequence(reader.database)
          guard reader.damage == nil || last > 0 else { continue }
          // Its captures may come later: none of its numbers may be reused.
          one.firstSequence = max(one.firstSequence, one.reservedBelow)
          new.append(one)
        }
        try insert(new, before: known.last, database)
        try NoteRow.copy(reader.database, to: database)
        guard !known.contains(where: { $0.device == reader.device }) else { return }
        let isEmpty = try StoredMemory.isEmpty(reader.database)
        // Damage may have destroyed it.
        guard reader.damage == nil || !isEmpty else { return }
        try StoredMemory.copy(reader.database, to: database)
      }
    }
  }

  private func insert(
    _ new: [DeviceIdentity], before present: DeviceIdentity?,
    _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard !new.isEmpty else { return }
    var number = present?.number ?? 1
    if var present {
      try database.execute("DELETE FROM identities WHERE number = \(present.number)")
      present.number += Int64(new.count)
      try present.write(to: database)
    }
    for var identity in new {
      identity.number = number
      try identity.write(to: database)
      number += 1
    }
  }

  /// - Returns: how many captures were copied.
  private func copy(
    _ reader: CaptureStore, _ database: borrowing SQLiteDatabase
  ) throws(StoreError) -> Int {
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) -> Int in
        try copyDamaged(reader.database, database)
        return try copyCaptures(reader.database, database)
      }
    }
  }

  private func copyCaptures(
    _ source: borrowing SQLiteDatabase, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    var there: Set<String> = []
    let known = try database.prepare("SELECT device, sequence FROM captures")
    while try known.step() { there.insert("\(known.text(0)) \(known.integer(1))") }
    var key = try DamagedRows.lastKey(database)
    let rows = try source.prepare("\(CaptureRow.query) ORDER BY key")
    let insert = try database.prepare(CaptureColumn.insert)
    var count = 0
    while try rows.step() {
      guard
        there.insert("\(rows.text(CaptureColumn.device)) \(rows.integer(CaptureColumn.sequence))")
          .inserted
      else {
        continue
      }
      key += 1
      try CaptureRow.copy(rows, key: key, to: insert)
      try insert.run()
      try HistoryRow.copy(rows.integer(CaptureColumn.key), of: source, to: key, in: database)
      count += 1
    }
    return count
  }

  /// Copies its damaged rows, for people to read.
  private func copyDamaged(
    _ source: borrowing SQLiteDatabase, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let rows = try source.prepare("SELECT foundAt, row FROM damaged")
    let insert = try database.prepare(
      """
      INSERT INTO damaged (foundAt, row)
      SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM damaged WHERE row = ?2)
      """)
    while try rows.step() {
      try insert.bind(rows, 0, at: 1)
      try insert.bind(rows, 1, at: 2)
      try insert.run()
    }
  }
}

/// A damaged second store, of which the readable part was kept.
public struct SecondDamage: Sendable, Equatable, Worded {
  /// What was found wrong.
  var problem: Texts
  /// How many captures could be read.
  var recovered: Int
  /// Where its file is now, with its log beside it.
  var movedTo: String

  init(problem: Texts, recovered: Int, movedTo: String) {
    self.problem = problem
    self.recovered = recovered
    self.movedTo = movedTo
  }

  init(_ salvage: Salvage) {
    self.init(
      problem: salvage.damage.texts, recovered: salvage.recovered, movedTo: salvage.movedTo)
  }

  public var texts: Texts {
    let text = StorePhrase.secondDamaged.texts(problem, "\(recovered)")
    return StorePhrase.keptAs.texts(text, movedTo).map(singleLine)
  }
}
