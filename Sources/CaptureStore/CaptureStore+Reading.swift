internal import SQLite
internal import TrackerCore
internal import Wording

extension CaptureStore {
  /// Reads a store and, if there is one, the second store that stands in for it. If only the latter
  /// cannot be read, the `leftover` of the first says why.
  public static func openAllForReading(_ name: String) throws(StoreError) -> [CaptureStore] {
    let path = try Disk.resolved(name)
    let first = try openForReading(path)
    let second = SecondStore(path: second(of: path))
    guard Disk.isThere(second.path), !second.isEmpty else { return [first] }
    do throws(StoreError) {
      let wasOurs = Disk.isThere(second.path + ".lock")
      return [first, try openForReading(second.path, wasOurs: wasOurs)]
    } catch {
      first.leftover = second.waiting(error)
      return [first]
    }
  }

  /// Reads a store as it is at this moment, without writing or creating a file: whether in use,
  /// killed or cleanly stopped, of this version or an older one, and without write permission.
  ///
  /// Of a damaged store it contains what can be read, and `damage` says what is wrong. It is a
  /// snapshot; any change throws `readOnly`.
  ///
  /// - Throws: `missing` when it does not exist, `notAStore`, `newer`, and errors of reading it.
  public static func openForReading(_ path: String) throws(StoreError) -> CaptureStore {
    // A lock file beside it does not prove here that the file is a store.
    try openForReading(try Disk.resolved(path), wasOurs: false)
  }

  /// - Parameter wasOurs: whether it is known to be a store, whatever it contains.
  static func openForReading(_ path: String, wasOurs: Bool) throws(StoreError) -> CaptureStore {
    guard Disk.isThere(path) || Disk.isThere(path + "-wal") else {
      throw StoreError(.missing, path: path)
    }
    // Before the file: a mark is written after what it tells of.
    let mark = StoreLock.mark(ofStore: path)
    let image = try StoreImage(path: path)
    if mark.isThere, image.isUnbegun,
      let store = try read(image, path, StoreFile.lost, Schema.version, known: mark.devices)
    {
      return store
    }
    guard !image.main.isEmpty || image.log.committedPages != nil || image.log.damage != nil else {
      throw StoreError(.notAStore, path: path, detail: StorePhrase.empty.texts)
    }
    let damage = try StoreFile(path: path, wasOurs: wasOurs).damage(of: image)
    let version = damage == nil ? image.version : Schema.version
    guard version > 0, damage == nil || !image.isUnbegun,
      let store = try read(image, path, damage, version)
    else { throw StoreError(.notAStore, path: path, detail: StorePhrase.empty.texts) }
    // A damaged file of another program contains nothing of ours.
    guard
      damage == nil || wasOurs || store.tally.rows > 0
        || StoreImage.isMarked(Array(image.page(1)))
    else {
      throw StoreError(.notAStore, path: path, detail: damage ?? "")
    }
    return store
  }

  /// - Returns: `nil` when it has no device: its first opening did not come to the end.
  private static func read(
    _ image: StoreImage, _ path: String, _ damage: String?, _ version: Int32,
    known: [DeviceIdentity] = []
  ) throws(StoreError) -> CaptureStore? {
    do throws(SQLiteError) {
      let database = try SQLiteDatabase.store(
        image: damage == nil ? image.database() : [], path: path)
      if let damage {
        _ = try Salvager.copy(
          image, to: database, damage: damage, known: known, at: UTC(milliseconds: 0))
      } else {
        try Schema.migrate(database, from: version)
      }
      let damagedRows = try DamagedRows.setAsideAll(in: database)
      try database.execute("PRAGMA query_only = ON")
      guard let identity = try DeviceIdentity.read(database) else { return nil }
      let store = try CaptureStore(
        place: .file(path), database: database, identity: identity, opening: .opened,
        limits: StoreLimits(), lock: nil)
      store.damage = damage
      store.damagedRows = damagedRows
      return store
    } catch {
      throw StoreError(error)
    }
  }
}
