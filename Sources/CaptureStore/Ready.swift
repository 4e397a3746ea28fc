internal import SQLite
internal import TrackerCore

/// A database that is ready to be used as a store.
struct Ready: ~Copyable {
  let database: SQLiteDatabase
  let identity: DeviceIdentity
  let succession: OwnerChange?
  var opening: StoreOpening
  /// The number of rows found damaged.
  let damagedRows: Int
  /// What happened to a second store.
  let second: SecondStore.Outcome

  /// - Parameter first: the store that this one stands in for, if it can be read.
  init(
    _ path: String, _ owner: StoreOwner, salvage: Salvage?, mark: StoreMark,
    standingInFor first: CaptureStore? = nil, at now: UTC
  ) throws(StoreError) {
    if path != ":memory:" {
      if !Disk.isThere(path) { try StoreFile.make(path) }
      for file in CaptureStore.files(of: path) { StoreAccess.settle(file) }
    }
    var version: Int32 = 0
    let database = try Self.database(path, &version)
    // SQLite has created its own files by now, with the process's group.
    for file in CaptureStore.files(of: path) { StoreAccess.settle(file) }
    let damaged = try Self.setAsideDamaged(database)
    if let first { try Self.inherit(first, database, at: now) }
    var present = try Self.owner(owner, database, path, mark, at: now)
    let second = SecondStore(path: CaptureStore.second(of: path)).move(into: database, at: now)
    // Adding its devices may have changed the number of the current one.
    present.0 = try Self.owner(owner, database, path, mark, at: now).0
    // Assigned together: an error must not leave a noncopyable value partly initialised.
    self.second = second
    damagedRows = damaged + second.damagedRows
    (identity, succession) = present
    opening =
      if let salvage { .salvaged(salvage) } else if version == 0 {
        .created
      } else if version < Schema.version { .migrated(from: version) } else { .opened }
    self.database = database
  }

  private static func setAsideDamaged(
    _ database: borrowing SQLiteDatabase
  ) throws(StoreError) -> Int {
    do throws(SQLiteError) { return try DamagedRows.setAsideAll(in: database) } catch {
      throw StoreError(error)
    }
  }

  private static func inherit(
    _ first: CaptureStore, _ database: borrowing SQLiteDatabase, at now: UTC
  ) throws(StoreError) {
    do throws(SQLiteError) {
      try StoredMemory.inherit(first.database, by: database, at: now)
    } catch {
      throw StoreError(error)
    }
  }

  private static func owner(
    _ owner: StoreOwner, _ database: borrowing SQLiteDatabase, _ path: String, _ mark: StoreMark,
    at now: UTC
  ) throws(StoreError) -> (DeviceIdentity, OwnerChange?) {
    do throws(SQLiteError) { return try owner.takeOn(database, path, mark, at: now) } catch {
      throw StoreError(error)
    }
  }

  /// A connection to a database of this program's version.
  private static func database(
    _ path: String, _ version: inout Int32
  ) throws(StoreError) -> SQLiteDatabase {
    do throws(SQLiteError) {
      let database = try StoreFile.connect(path)
      version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
      try Schema.migrate(database, from: version)
      return database
    } catch {
      throw StoreError(error)
    }
  }
}
