internal import SQLite
internal import SystemCalls
public import TrackerCore
public import Wording

extension CaptureStore {
  /// Opens a store, or creates it. Captures in flight remain so, as their outcome is unknown. A
  /// damaged store is moved aside and salvaged. Without room for that it is left as it is, a second
  /// one is opened beside it, and a later opening salvages it. `opening` reports which.
  ///
  /// - Parameters:
  ///   - place: a file in a directory that exists, or memory.
  ///   - owner: who captures into it from now on. A second store has its own device.
  ///   - limits: how much it may hold.
  ///   - mayStandIn: whether a second store may be opened; otherwise lack of room is an error.
  ///   - now: the time of the opening, UTC.
  public static func open(
    _ place: Place, for owner: StoreOwner = .whoever, limits: StoreLimits = StoreLimits(),
    mayStandIn: Bool = true, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    switch place {
    case .memory: return try open(nil, owner, limits, at: now)
    case .copy(let image): return try open(image, owner, limits, at: now)
    case .file(let name):
      let path = try Disk.resolved(name)
      let place = Place.file(path)
      let lock = try takeLock(path)
      let ready: Ready
      do throws(StoreError) {
        let salvage = try prepare(path, lock, at: now)
        ready = try Ready(path, owner, salvage: salvage, mark: lock.mark, at: now)
      } catch {
        if case .notAStore = error.kind { lock.undo() }
        guard error.kind == .diskFull else { throw error }
        guard mayStandIn else { throw noRoom(path) }
        return try openSecond(of: path, lock, error, owner, limits, at: now)
      }
      return try make(place, ready, limits, lock: lock, otherLock: nil, at: now)
    }
  }

  /// Opens one in memory.
  ///
  /// - Parameter image: `nil`: it is empty.
  private static func open(
    _ image: [UInt8]?, _ owner: StoreOwner, _ limits: StoreLimits, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    let ready = try Ready(
      ":memory:", owner, image: image, salvage: nil, mark: StoreMark([]), at: now)
    return try make(.memory, ready, limits, lock: nil, otherLock: nil, at: now)
  }

  private static func takeLock(_ path: String) throws(StoreError) -> StoreLock {
    // SQLite gives these two names a special meaning.
    guard !path.isEmpty, path != ":memory:" else {
      throw StoreError(.notAStore, path: path, detail: StorePhrase.noFileName.texts)
    }
    let status = try? FileStatus(path)
    if let status, status.kind != .file {
      throw StoreError(.notAStore, path: path, detail: StorePhrase.notRegular.texts)
    }
    // The lock depends on the name: under another name a second process could use the same file.
    if let status, status.names > 1 { throw StoreError(.linked, path: path) }
    return try StoreLock(store: path)
  }

  /// Checks the file before anything is written to it, and salvages it if necessary.
  private static func prepare(
    _ path: String, _ lock: borrowing StoreLock, at now: UTC
  ) throws(StoreError) -> Salvage? {
    let steps = SalvageSteps(path: path, mark: lock.mark)
    let finished = try steps.finishInterrupted(at: now)
    // SQLite reads what a killed process wrote into the log: it must be on the disk before anything
    // builds on it.
    let log = path + "-wal"
    if Disk.isThere(log) { try steps.disk.synchronise(log) }
    if lock.mark.isThere, try StoreImage.isUnbegun(path) {
      return try steps.run(damage: StoreFile.lost, at: now)
    }
    let file = StoreFile(path: path, wasOurs: lock.wasThere)
    guard var damage = try file.damage() else { return finished }
    let image = try StoreImage(path: path)
    if image.isLogObsolete {
      // SQLite would start the log again with the numbers that distinguish its frames from older
      // ones, if the torn header has them.
      try steps.disk.empty(log)
      guard let rest = try file.damage() else { return finished }
      damage = rest
    }
    if image.isUnbegun {
      // Nothing was announced.
      try steps.disk.empty(path)
      return finished
    }
    return try steps.run(damage: damage, at: now)
  }

  private static func make(
    _ place: Place, _ ready: consuming Ready, _ limits: StoreLimits,
    lock: consuming StoreLock?, otherLock: consuming StoreLock?, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    do throws(SQLiteError) {
      let (identity, opening, succession) = (ready.identity, ready.opening, ready.succession)
      let (second, damagedRows) = (ready.second, ready.damagedRows)
      let room: StoreSpace? =
        if case .file(let path) = place { StoreSpace(path: path) } else { nil }
      let store = try CaptureStore(
        place: place, database: ready.database, identity: identity, opening: opening,
        limits: limits, lock: lock, otherLock: otherLock, room: room)
      store.succession = succession
      store.takenIn = second.takenIn
      store.leftover = second.leftover
      store.secondDamage = second.damage
      store.damagedRows = damagedRows
      try store.markDevices()
      return store
    } catch {
      throw StoreError(error)
    }
  }

  // MARK: The second store

  /// The file name of a second store.
  public static func second(of path: String) -> String { path + ".second" }

  private static func openSecond(
    of path: String, _ lock: consuming StoreLock, _ problem: StoreError, _ owner: StoreOwner,
    _ limits: StoreLimits, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    let second = second(of: path)
    let isNew = !Disk.isThere(second)
    // A chosen device's numbers are in the store that cannot be used: they must not be given twice.
    let owner = if case .device = owner { StoreOwner.whoever } else { owner }
    do throws(StoreError) {
      let secondLock = try StoreLock(store: second)
      let salvage = try prepare(second, secondLock, at: now)
      let reader = try? openForReading(path)
      var ready = try Ready(
        second, owner, salvage: salvage, mark: secondLock.mark, standingInFor: reader, at: now)
      ready.opening = .beside(
        WaitingStore(
          path: path, second: second,
          cause: .room(neededBytes: SalvageSteps(path: path).neededBytes),
          problem: reader?.damage?.texts ?? problem.detail, waiting: reader?.tally.pending))
      let store = try make(
        .file(second), ready, limits, lock: secondLock, otherLock: lock, at: now)
      store.secondDamage = salvage.map(SecondDamage.init)
      return store
    } catch {
      if isNew { for file in files(of: second) + [second + "-journal"] { try? removeFile(file) } }
      guard error.kind == .diskFull else { throw error }
      throw noRoom(path)
    }
  }

  private static func noRoom(_ path: String) -> StoreError {
    let kilobytes = (SalvageSteps(path: path).neededBytes + 1023) / 1024
    return StoreError(
      .diskFull, path: path, detail: StorePhrase.needed.texts("\(kilobytes)", roomHint(path)))
  }

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

  /// What somebody who reads a damaged store has to know: that it has only part of its captures.
  /// One line each; no lines for a store that is whole.
  public var remarks: [Texts] {
    guard case .file(let path) = place else { return [] }
    var remarks: [Texts] = []
    if damagedRows > 0 {
      let rows = damagedRows == 1 ? "1 damaged row" : "\(damagedRows) damaged rows"
      remarks.append("\(path): \(rows) left out; the others are intact".texts)
    }
    if let leftover { remarks.append(leftover.texts) }
    if let damage {
      let rows = "\(tally.rows) captures can be read"
      remarks.append(
        "\(path): is damaged (\(damage)); \(rows), and the tracker salvages them when it starts"
          .texts)
    }
    return remarks
  }
}

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

  /// - Parameters:
  ///   - image: of a store in memory; `nil`: it is empty.
  ///   - first: the store that this one stands in for, if it can be read.
  init(
    _ path: String, _ owner: StoreOwner, image: [UInt8]? = nil, salvage: Salvage?,
    mark: StoreMark, standingInFor first: CaptureStore? = nil, at now: UTC
  ) throws(StoreError) {
    if path != ":memory:" {
      if !Disk.isThere(path) { try StoreFile.make(path) }
      for file in CaptureStore.files(of: path) { StoreAccess.settle(file) }
    }
    var version: Int32 = 0
    let database = try Self.database(path, image, &version)
    // SQLite has created its own files by now, with the process's group.
    for file in CaptureStore.files(of: path) { StoreAccess.settle(file) }
    let damaged = try stating { () throws(SQLiteError) in
      try DamagedRows.setAsideAll(in: database)
    }
    if let first {
      try stating { () throws(SQLiteError) in
        try StoredMemory.inherit(first.database, by: database, at: now)
      }
    }
    var present = try stating { () throws(SQLiteError) in
      try owner.takeOn(database, path, mark, at: now)
    }
    let second = SecondStore(path: CaptureStore.second(of: path)).move(into: database, at: now)
    // Adding its devices may have changed the number of the current one.
    let renumbered = try stating { () throws(SQLiteError) in try DeviceIdentity.read(database) }
    present.0 = renumbered ?? present.0
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

  /// A connection to a database of this program's version.
  private static func database(
    _ path: String, _ image: [UInt8]?, _ version: inout Int32
  ) throws(StoreError) -> SQLiteDatabase {
    version = 0
    if path == ":memory:", let bytes = image ?? Self.blank {
      return try stating { () throws(SQLiteError) in
        let database = try SQLiteDatabase.store(image: bytes, path: path)
        if image != nil {
          version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
          try Schema.migrate(database, from: version)
        }
        // Only this program writes it. To check a state SQLite makes a table of all of them, each
        // time anew.
        try database.execute("PRAGMA ignore_check_constraints = ON")
        return database
      }
    }
    var found: Int32 = 0
    let database = try stating { () throws(SQLiteError) -> SQLiteDatabase in
      let database = try StoreFile.connect(path)
      found = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
      try Schema.migrate(database, from: found)
      return database
    }
    version = found
    return database
  }

  /// An empty store. Thousands of races have one each, and to make the tables takes as long as some
  /// hours of a race.
  private static let blank = try? Schema.image()
}
