internal import Glibc
public import TrackerCore

extension CaptureStore {
  /// Opens a store, or makes it. What was in flight still is: nobody knows what became of it. A
  /// damaged one is moved aside and salvaged; `opening` tells of it.
  ///
  /// - Parameters:
  ///   - place: a file in a directory that exists, or memory.
  ///   - owner: who captures into it from now on.
  ///   - limits: how much it may hold.
  ///   - now: the time of the opening, UTC.
  public static func open(
    _ place: Place, for owner: StoreOwner = .whoever, limits: StoreLimits = StoreLimits(),
    at now: UTC
  ) throws(StoreError) -> CaptureStore {
    switch place {
    case .memory:
      return try ready(place, owner, limits, lock: nil, salvage: nil, at: now)
    case .file(let path):
      let lock = try takeLock(path)
      let salvage: Salvage?
      do throws(StoreError) {
        salvage = try prepare(path, wasOurs: lock.wasThere, at: now)
      } catch {
        if case .notAStore = error.kind { lock.undo() }
        throw error
      }
      return try ready(place, owner, limits, lock: lock, salvage: salvage, at: now)
    }
  }

  /// Opens a store for reading only, also while a tracker uses it: for status, lists and exports.
  ///
  /// Whatever would change it throws `readOnly`. Counts are those of this moment; captures are read
  /// as they are when they are asked for.
  ///
  /// - Throws: `cannotOpen` when it is not there, `notAStore`, `newer`, `damaged`.
  public static func openForReading(_ path: String) throws(StoreError) -> CaptureStore {
    // The lock beside it is the tracker's business; that what is there is a store is not.
    if let damage = try StoreFile(path: path, wasOurs: false, access: .readOnly).damage() {
      throw StoreError(.damaged, path: path, detail: damage)
    }
    var version = Schema.version
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(path: path, access: .readOnly)
      version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
      guard version == Schema.version, let identity = try DeviceIdentity.read(database) else {
        throw SQLiteError.impossibleRow(path)
      }
      return try CaptureStore(
        place: .file(path), database: database, identity: identity, opening: .opened,
        limits: StoreLimits(), lock: nil)
    } catch {
      // Nothing was ever written to it.
      if version == 0 { throw StoreError(.notAStore, path: path, detail: "it is empty") }
      throw StoreError(error)
    }
  }

  private static func takeLock(_ path: String) throws(StoreError) -> StoreLock {
    // SQLite gives these two a meaning of their own.
    guard !path.isEmpty, path != ":memory:" else {
      throw StoreError(.notAStore, path: path, detail: "it names no file")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw StoreError(.notAStore, path: path, detail: "it is no plain file")
    }
    return try StoreLock(store: path)
  }

  /// Looks at the file before anything is written to it, and salvages where it must.
  private static func prepare(
    _ path: String, wasOurs: Bool, at now: UTC
  ) throws(StoreError) -> Salvage? {
    let salvager = Salvager(path: path)
    try salvager.finishInterrupted()
    guard let damage = try StoreFile(path: path, wasOurs: wasOurs).damage() else { return nil }
    return try salvager.run(damage: damage, at: now)
  }

  private static func ready(
    _ place: Place, _ owner: StoreOwner, _ limits: StoreLimits, lock: consuming StoreLock?,
    salvage: Salvage?, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    do throws(SQLiteError) {
      let database = try StoreFile.connect(place.path)
      let version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
      try Schema.migrate(database, from: version)
      let (identity, succession) = try owner.takeOn(database, place.path, at: now)
      let opening: StoreOpening =
        if let salvage { .salvaged(salvage) } else if version == 0 {
          .created
        } else if version < Schema.version { .migrated(from: version) } else { .opened }
      let store = try CaptureStore(
        place: place, database: database, identity: identity, opening: opening, limits: limits,
        lock: lock)
      store.succession = succession
      return store
    } catch {
      throw StoreError(error)
    }
  }
}

extension CaptureStore.Place {
  var path: String {
    switch self {
    case .file(let path): path
    case .memory: ":memory:"
    }
  }
}
