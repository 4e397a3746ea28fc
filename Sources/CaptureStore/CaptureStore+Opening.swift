internal import Glibc
internal import SQLite
public import TrackerCore

extension CaptureStore {
  /// Opens a store, or makes it. What was in flight still is: nobody knows what became of it. A
  /// damaged one is moved aside and salvaged. Where there is no room for that, it stays as it is, a
  /// second one is opened beside it, and a later opening salvages. `opening` tells of it.
  ///
  /// - Parameters:
  ///   - place: a file in a directory that exists, or memory.
  ///   - owner: who captures into it from now on. A second one has a device of its own.
  ///   - limits: how much it may hold.
  ///   - mayStandIn: whether a second one may be opened; else it is an error that there is no room.
  ///   - now: the time of the opening, UTC.
  public static func open(
    _ place: Place, for owner: StoreOwner = .whoever, limits: StoreLimits = StoreLimits(),
    mayStandIn: Bool = true, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    switch place {
    case .memory:
      let ready = try Ready(":memory:", owner, salvage: nil, at: now)
      return try make(place, ready, limits, lock: nil, otherLock: nil, at: now)
    case .file(let name):
      let path = try Disk.resolved(name)
      let place = Place.file(path)
      let lock = try takeLock(path)
      let ready: Ready
      do throws(StoreError) {
        let salvage = try prepare(path, wasOurs: lock.wasThere, at: now)
        ready = try Ready(path, owner, salvage: salvage, at: now)
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
    // SQLite gives these two a meaning of their own.
    guard !path.isEmpty, path != ":memory:" else {
      throw StoreError(.notAStore, path: path, detail: "it names no file")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw StoreError(.notAStore, path: path, detail: "it is not a regular file")
    }
    // The lock goes by the name: under another one it would be used twice.
    if status.st_nlink > 1 { throw StoreError(.linked, path: path) }
    return try StoreLock(store: path)
  }

  /// Looks at the file before anything is written to it, and salvages where it must.
  private static func prepare(
    _ path: String, wasOurs: Bool, at now: UTC
  ) throws(StoreError) -> Salvage? {
    let steps = SalvageSteps(path: path)
    let finished = try steps.finishInterrupted(at: now)
    guard let damage = try StoreFile(path: path, wasOurs: wasOurs).damage() else { return finished }
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
      return store
    } catch {
      throw StoreError(error)
    }
  }

  // MARK: The second store

  /// What a second store's file is called.
  public static func second(of path: String) -> String { path + ".second" }

  private static func openSecond(
    of path: String, _ lock: consuming StoreLock, _ problem: StoreError, _ owner: StoreOwner,
    _ limits: StoreLimits, at now: UTC
  ) throws(StoreError) -> CaptureStore {
    let second = second(of: path)
    let isNew = !Disk.isThere(second)
    // The chosen device has its numbers in the store that cannot be used: they must not be given
    // again.
    let owner = if case .device = owner { StoreOwner.whoever } else { owner }
    do throws(StoreError) {
      let secondLock = try StoreLock(store: second)
      let salvage = try prepare(second, wasOurs: secondLock.wasThere, at: now)
      let reader = try? openForReading(path)
      var ready = try Ready(second, owner, salvage: salvage, standingInFor: reader, at: now)
      ready.opening = .beside(
        WaitingStore(
          path: path, second: second,
          cause: .room(neededBytes: SalvageSteps(path: path).neededBytes),
          problem: reader?.damage ?? problem.detail, waiting: reader?.tally.pending))
      let store = try make(
        .file(second), ready, limits, lock: secondLock, otherLock: lock, at: now)
      store.secondDamage = salvage.map(SecondDamage.init)
      return store
    } catch {
      if isNew { for file in files(of: second) + [second + "-journal"] { unlink(file) } }
      guard error.kind == .diskFull else { throw error }
      throw noRoom(path)
    }
  }

  private static func noRoom(_ path: String) -> StoreError {
    let kilobytes = (SalvageSteps(path: path).neededBytes + 1023) / 1024
    return StoreError(
      .diskFull, path: path, detail: "it takes \(kilobytes) KB; \(roomHint(path))")
  }
}
