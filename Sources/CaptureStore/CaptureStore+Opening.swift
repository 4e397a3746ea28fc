internal import SQLite
internal import SystemCalls
public import TrackerCore
internal import Wording

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
    case .memory:
      let ready = try Ready(":memory:", owner, salvage: nil, mark: StoreMark([]), at: now)
      return try make(place, ready, limits, lock: nil, otherLock: nil, at: now)
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
}
