internal import SQLite
public import TrackerCore

// The way of a capture to a server. Each call is one transaction, however many captures it moves.
extension CaptureStore {
  /// Hands out captures to be sent and marks them in flight; `freshest` gives the newest first.
  ///
  /// What is in flight already is not handed out again before it was released.
  public func select(_ selection: Selection, at now: UTC) throws(StoreError) -> [StoredCapture] {
    try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        var chosen: [StoredCapture]
        switch selection {
        case .freshest(let limit): chosen = try read(statements.freshest, limit: limit)
        case .oldest(let limit): chosen = try read(statements.oldest, limit: limit)
        }
        for index in chosen.indices {
          try statements.mark.bind(now.milliseconds, at: 1)
          try statements.mark.bind(Int64(chosen[index].key.number), at: 2)
          try statements.mark.run()
          chosen[index].state = .inFlight
          chosen[index].stateChangedAt = now
          chosen[index].attempts += 1
        }
        return chosen
      }
    }
  }

  /// What was handed out and nobody has decided upon, in order of storing.
  public func inFlight() throws(StoreError) -> [StoredCapture] {
    try stating { () throws(SQLiteError) in try read(statements.inFlight, limit: nil) }
  }

  /// Makes pending again all that is in flight: nothing of it was applied, or it may be sent again
  /// without harm.
  ///
  /// - Returns: how many.
  @discardableResult
  public func release(at now: UTC) throws(StoreError) -> Int {
    try changing { () throws(SQLiteError) in
      try statements.releaseAll.bind(now.milliseconds, at: 1)
      return try statements.releaseAll.run()
    }
  }

  /// A server has these. Unknown ones and those acknowledged before count for nothing.
  ///
  /// - Returns: how many of them were not acknowledged before.
  @discardableResult
  public func acknowledge(_ keys: [CaptureKey], at now: UTC) throws(StoreError) -> Int {
    let moved = try leave(keys, to: .acknowledged, code: nil, at: now)
    tally.pending -= moved.waiting
    tally.setAside -= moved.setAside
    tally.acknowledged += moved.waiting + moved.setAside
    return moved.waiting + moved.setAside
  }

  /// Keeps these for a person, out of the way of the rest.
  ///
  /// - Parameter code: why, as the server said it.
  /// - Returns: how many of them were waiting.
  @discardableResult
  public func setAside(_ keys: [CaptureKey], code: Int32, at now: UTC) throws(StoreError) -> Int {
    let moved = try leave(keys, to: .setAside, code: code, at: now)
    tally.pending -= moved.waiting
    tally.setAside += moved.waiting
    return moved.waiting
  }

  /// Gives captures that were set aside another chance.
  ///
  /// - Parameter keys: which; `nil`: all.
  /// - Returns: how many.
  @discardableResult
  public func requeue(_ keys: [CaptureKey]? = nil, at now: UTC) throws(StoreError) -> Int {
    func change(_ more: String) -> String {
      CaptureRow.update(
        [("state", "'pending'"), ("code", "NULL"), ("stateChangedAt", "?1")],
        where: "\(StoreStatements.waits) = 'setAside'\(more)")
    }
    let moved = try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) -> Int in
        guard let keys else {
          let all = try database.prepare(change(""))
          try all.bind(now.milliseconds, at: 1)
          return try all.run()
        }
        let one = try database.prepare(change(" AND key = ?2"))
        var count = 0
        for key in keys {
          try one.bind(now.milliseconds, at: 1)
          try one.bind(Int64(key.number), at: 2)
          count += try one.run()
        }
        return count
      }
    }
    tally.setAside -= moved
    tally.pending += moved
    return moved
  }

  /// Gives captures new GlobalIDs: other captures have theirs on a server.
  public func renew(_ keys: [CaptureKey], at now: UTC) throws(StoreError) {
    guard !keys.isEmpty else { return }
    try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        let one = try database.prepare("\(CaptureRow.query) WHERE key = ?")
        let change = try database.prepare(
          CaptureRow.update([("globalID", "?1")], where: "key = ?2"))
        for key in keys {
          try one.bind(Int64(key.number), at: 1)
          for row in try read(one, limit: nil) {
            try change.bind(UniqueID(replacing: row.id, of: row.capture).text, at: 1)
            try change.bind(Int64(key.number), at: 2)
            try change.run()
          }
        }
      }
    }
  }

  private func leave(
    _ keys: [CaptureKey], to state: CaptureState, code: Int32?, at now: UTC
  ) throws(StoreError) -> (waiting: Int, setAside: Int) {
    guard !keys.isEmpty else { return (0, 0) }
    return try changing { () throws(SQLiteError) in
      var moved = (waiting: 0, setAside: 0)
      try database.transaction { () throws(SQLiteError) in
        for key in keys {
          let waiting = try leaveWaiting(key, to: state, code: code, at: now)
          moved.waiting += waiting
          guard waiting == 0, state == .acknowledged else { continue }
          try statements.leaveSetAside.bind(now.milliseconds, at: 1)
          try statements.leaveSetAside.bind(Int64(key.number), at: 2)
          moved.setAside += try statements.leaveSetAside.run()
        }
      }
      return moved
    }
  }

  private func leaveWaiting(
    _ key: CaptureKey, to state: CaptureState, code: Int32?, at now: UTC
  ) throws(SQLiteError) -> Int {
    try statements.leaveWaiting.bind(state.rawValue, at: 1)
    try statements.leaveWaiting.bind(code.map(Int64.init), at: 2)
    try statements.leaveWaiting.bind(now.milliseconds, at: 3)
    try statements.leaveWaiting.bind(Int64(key.number), at: 4)
    return try statements.leaveWaiting.run()
  }

  /// All rows of a query; a limit goes to its first parameter.
  func read(
    _ query: borrowing SQLiteStatement, limit: UInt32?
  ) throws(SQLiteError) -> [StoredCapture] {
    // A walk through rows that was left early must not go on here.
    query.reset()
    if let limit { try query.bind(Int64(limit), at: 1) }
    var rows: [StoredCapture] = []
    var damaged: [Int64] = []
    while try query.step() {
      if let row = CaptureRow.read(query) {
        rows.append(row)
      } else {
        damaged.append(query.integer(0))
      }
    }
    if !damaged.isEmpty {
      damagedRows += try DamagedRows.setAside(
        damaged, in: database, &identity, next: nextSequence)
      tally = try StoreTally(database)
    }
    return rows
  }

  /// Moves captures from state to state. A state's name may be longer than the one before, so that
  /// the file grows: at its limit it is let grow by an eighth, for else a full store could never
  /// become emptier.
  func changing<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    _ = room?.keep(database)
    do throws(SQLiteError) { return try body() } catch {
      guard error.kind == .full else { throw StoreError(error) }
    }
    return try stating { () throws(SQLiteError) in
      try limitFile(to: limits.bytes + limits.bytes / 8)
      defer { try? limitFile(to: limits.bytes) }
      return try body()
    }
  }

  /// Turns what SQLite says into what the store says.
  func stating<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw StoreError(error) }
  }
}
