internal import TrackerCore

/// A store that stood in for one that could not be used. Its captures go into that one when it can
/// be used again.
struct SecondStore {
  var path: String

  /// Takes its captures in, each with the device that took it, and removes its files. A power cut
  /// in between does no harm: what is there already is not taken in again.
  ///
  /// - Returns: how many were taken in, or what waits because there is no room for it.
  func move(
    into database: borrowing SQLiteDatabase
  ) throws(StoreError) -> (takenIn: Int?, leftover: WaitingStore?) {
    guard database.path != ":memory:", Disk.isThere(path) else { return (nil, nil) }
    do throws(StoreError) {
      // Whoever has it open, such as somebody who sends it by hand, keeps it until the next start.
      let lock = try StoreLock(store: path)
      let count = try copy(into: database)
      let disk = Disk()
      // Without its log it holds less, all of which has been taken in.
      for part in ["-wal", "-shm", ""] { try disk.remove(path + part) }
      lock.remove()
      return (count, nil)
    } catch {
      guard error.isRetryable else { throw error }
      let needed =
        2 * Disk.size(of: path) + Disk.size(of: path + "-wal") + SalvageSteps.margin
      let (cause, problem): (WaitingStore.Cause, String) =
        error.kind == .inUse
        ? (.inUse, "another process has it open")
        : error.kind == .diskFull
          ? (.room(neededBytes: needed), error.detail) : (.other, error.reason)
      return (nil, WaitingStore(path: path, cause: cause, problem: problem))
    }
  }

  private func copy(into database: borrowing SQLiteDatabase) throws(StoreError) -> Int {
    let reader: CaptureStore
    do throws(StoreError) { reader = try CaptureStore.openForReading(path) } catch {
      // Made a moment before the power went: nothing was ever in it.
      if error.kind == .notAStore, Disk.size(of: path) == 0 { return 0 }
      throw error
    }
    do throws(SQLiteError) {
      return try database.transaction { () throws(SQLiteError) -> Int in
        try takeOn(DeviceIdentity.all(reader.database), database)
        return try takeIn(reader.database, database)
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Its devices stand before the present one, which goes on capturing.
  private func takeOn(
    _ identities: [DeviceIdentity], _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let known = try DeviceIdentity.all(database)
    let new = identities.filter { one in !known.contains { $0.device == one.device } }
    var number = known.last?.number ?? 0
    if var present = known.last {
      try database.execute("DELETE FROM identities WHERE number = \(present.number)")
      present.number += Int64(new.count)
      try present.write(to: database)
      number -= 1
    }
    for var identity in new {
      number += 1
      identity.number = number
      try identity.write(to: database)
    }
  }

  private func takeIn(
    _ source: borrowing SQLiteDatabase, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    var there: Set<String> = []
    let known = try database.prepare("SELECT device, sequence FROM captures")
    while try known.step() { there.insert("\(known.text(0)) \(known.integer(1))") }
    var key = try database.integer("SELECT max(key) FROM captures") ?? 0
    let rows = try source.prepare("\(CaptureRow.query) ORDER BY key")
    let insert = try database.prepare(CaptureRow.insert)
    var count = 0
    while try rows.step() {
      guard there.insert("\(rows.text(19)) \(rows.integer(20))").inserted else { continue }
      key += 1
      try CaptureRow.copy(rows, key: key, to: insert)
      try insert.run()
      count += 1
    }
    return count
  }
}
