internal import SQLite
public import TrackerCore
public import Wording

/// What changed when reading set damaged rows aside; it takes effect once that is committed.
struct SetAsideRows {
  var count = 0
  /// `nil`: as before.
  var identity: DeviceIdentity?
  /// `nil`: as before.
  var tally: StoreTally?
}

// From a stored capture to a delivered one. Each call is one transaction, however many captures it
// changes.
extension CaptureStore {
  /// Returns captures to send and marks them as in flight; `freshest` returns the newest first.
  ///
  /// Captures already in flight are not returned again until they are released.
  public func select(_ selection: Selection, at now: UTC) throws(StoreError) -> [StoredCapture] {
    try readingAndChanging { (damaged: inout SetAsideRows) throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        var chosen: [StoredCapture]
        switch selection {
        case .freshest(let limit):
          let rows = try database.prepare(StoreStatements.freshest, isKept: true)
          chosen = try read(rows, limit: limit, &damaged)
        case .oldest(let limit):
          let rows = try database.prepare(StoreStatements.oldest, isKept: true)
          chosen = try read(rows, limit: limit, &damaged)
        }
        let mark = try database.prepare(StoreStatements.mark, isKept: true)
        for index in chosen.indices {
          try mark.bind(now.milliseconds, at: 1)
          try mark.bind(Int64(chosen[index].key.number), at: 2)
          try mark.run()
          chosen[index].state = .inFlight
          chosen[index].stateChangedAt = now
          chosen[index].attempts += 1
        }
        return chosen
      }
    }
  }

  /// The captures in flight, in order of storing.
  public func inFlight() throws(StoreError) -> [StoredCapture] {
    try reading { (damaged: inout SetAsideRows) throws(SQLiteError) in
      try read(
        database.prepare(StoreStatements.inFlight, isKept: true), limit: nil, &damaged)
    }
  }

  /// Makes all captures in flight pending again: none was applied, or they may be sent again
  /// without harm.
  ///
  /// - Returns: how many.
  @discardableResult
  public func release(at now: UTC) throws(StoreError) -> Int {
    try changingWithHistory { (tellsHistory: Bool) throws(SQLiteError) in
      if tellsHistory { try database.prepare(StoreStatements.tellRelease, isKept: true).run() }
      let all = try database.prepare(StoreStatements.releaseAll, isKept: true)
      try all.bind(now.milliseconds, at: 1)
      return try all.run()
    }
  }

  /// A server has these captures. Unknown ones and those already acknowledged are ignored.
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

  /// Sets captures aside for a person to look at.
  ///
  /// - Parameter code: the server's error code.
  /// - Returns: how many of them were waiting.
  @discardableResult
  public func setAside(_ keys: [CaptureKey], code: Int32, at now: UTC) throws(StoreError) -> Int {
    let moved = try leave(keys, to: .setAside, code: code, at: now)
    tally.pending -= moved.waiting
    tally.setAside += moved.waiting
    return moved.waiting
  }

  /// Makes captures pending again that were set aside.
  ///
  /// - Parameter keys: which; `nil`: all.
  /// - Returns: how many.
  @discardableResult
  public func requeue(_ keys: [CaptureKey]? = nil, at now: UTC) throws(StoreError) -> Int {
    func change(_ more: String) -> String {
      CaptureColumn.update(
        [("state", "'pending'"), ("code", "NULL"), ("stateChangedAt", "?1")],
        where: "\(StoreStatements.waits) = 'setAside'\(more)")
    }
    func tell(_ more: String) -> String {
      HistoryRow.adding(
        "\(HistoryRow.setAside) || \(HistoryRow.requeued)",
        where: "c.state <> 'acknowledged' AND c.state = 'setAside'\(more)")
    }
    let moved = try changingWithHistory { (tellsHistory: Bool) throws(SQLiteError) -> Int in
      guard let keys else {
        if tellsHistory {
          let history = try database.prepare(tell(""))
          try history.bind(now.milliseconds, at: 1)
          try history.run()
        }
        let all = try database.prepare(change(""))
        try all.bind(now.milliseconds, at: 1)
        return try all.run()
      }
      let one = try database.prepare(change(" AND key = ?2"))
      let history = try database.prepare(tell(" AND c.key = ?2"))
      var count = 0
      for key in keys {
        if tellsHistory {
          try history.bind(now.milliseconds, at: 1)
          try history.bind(Int64(key.number), at: 2)
          try history.run()
        }
        try one.bind(now.milliseconds, at: 1)
        try one.bind(Int64(key.number), at: 2)
        count += try one.run()
      }
      return count
    }
    tally.setAside -= moved
    tally.pending += moved
    return moved
  }

  /// Gives captures new GlobalIDs, because theirs belong to other captures on a server.
  public func renew(_ keys: [CaptureKey], at now: UTC) throws(StoreError) {
    guard !keys.isEmpty else { return }
    try readingAndChanging { (damaged: inout SetAsideRows) throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        let one = try database.prepare("\(CaptureRow.query) WHERE key = ?")
        let change = try database.prepare(
          CaptureColumn.update([("globalID", "?1")], where: "key = ?2"))
        for key in keys {
          try one.bind(Int64(key.number), at: 1)
          for row in try read(one, limit: nil, &damaged) {
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
    return try changingWithHistory { (tellsHistory: Bool) throws(SQLiteError) in
      let fromWaiting = try database.prepare(StoreStatements.leaveWaiting, isKept: true)
      try fromWaiting.bind(state.rawValue, at: 1)
      try fromWaiting.bind(code.map(Int64.init), at: 2)
      try fromWaiting.bind(now.milliseconds, at: 3)
      let history = try database.prepare(StoreStatements.tellSetAside, isKept: true)
      let fromSetAside = try database.prepare(StoreStatements.leaveSetAside, isKept: true)
      try fromSetAside.bind(now.milliseconds, at: 1)
      var moved = (waiting: 0, setAside: 0)
      for key in keys {
        let key = Int64(key.number)
        try fromWaiting.bind(key, at: 4)
        let waiting = try fromWaiting.run()
        moved.waiting += waiting
        guard waiting == 0, state == .acknowledged else { continue }
        if tellsHistory {
          try history.bind(key, at: 2)
          try history.run()
        }
        try fromSetAside.bind(key, at: 2)
        moved.setAside += try fromSetAside.run()
      }
      return moved
    }
  }

  /// All rows of a query, with `limit` bound to its first parameter. Sets damaged rows aside.
  func read(
    _ query: borrowing SQLiteStatement, limit: UInt32?, _ setAside: inout SetAsideRows
  ) throws(SQLiteError) -> [StoredCapture] {
    // An earlier iteration may have been left before its end.
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
    guard !damaged.isEmpty else { return rows }
    var present = setAside.identity ?? identity
    let (count, tally) = try database.savepoint { () throws(SQLiteError) in
      (
        try DamagedRows.setAside(damaged, in: database, &present, next: nextSequence),
        try StoreTally(database)
      )
    }
    setAside = SetAsideRows(count: setAside.count + count, identity: present, tally: tally)
    return rows
  }

  /// Runs a body that reads captures.
  func reading<Result>(
    _ body: (inout SetAsideRows) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    var setAside = SetAsideRows()
    let result = try stating { () throws(SQLiteError) in try body(&setAside) }
    take(setAside)
    return result
  }

  private func take(_ setAside: SetAsideRows) {
    damagedRows += setAside.count
    if let changed = setAside.identity { identity = changed }
    if let counted = setAside.tally { tally = counted }
  }

  /// Changes captures' states. The new state's name may be longer, so that the file grows: at its
  /// limit it may grow by `growthShare`, or a full store could never become emptier.
  ///
  /// - Parameter body: the transaction. It may be rolled back and run again, so it must have no
  ///   other side effects; what it sets aside takes effect once it is committed.
  func readingAndChanging<Result>(
    _ body: (inout SetAsideRows) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    _ = room?.keep(database)
    var setAside = SetAsideRows()
    do throws(SQLiteError) {
      let result = try body(&setAside)
      take(setAside)
      return result
    } catch {
      guard error.kind == .full else { throw StoreError(error) }
    }
    return try reading { (setAside: inout SetAsideRows) throws(SQLiteError) in
      try limitFile(to: limits.bytes + limits.bytes / StoreBounds.growthShare)
      defer { try? limitFile(to: limits.bytes) }
      return try body(&setAside)
    }
  }

  /// The same for a body that reads no captures.
  func changing<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try readingAndChanging { (_: inout SetAsideRows) throws(SQLiteError) in try body() }
  }
}

/// When the outcome of a capture in flight became unknown.
public struct Hold: Sendable, Equatable {
  public var key: CaptureKey
  /// The boot of the machine that the time belongs to (Linux's boot_id).
  public var boot: String
  /// When the upload was given up, as time since that boot.
  public var since: Milliseconds

  public init(key: CaptureKey, boot: String, since: Milliseconds) {
    self.key = key
    self.boot = boot
    self.since = since
  }
}

// Captures that were sent and that a server may still apply. They stay in flight, whatever happens
// to the process, until they are acknowledged or released.
extension CaptureStore {
  private enum HoldColumn: Int32, StoreColumn {
    case key, boot, sinceMilliseconds

    static let table = "held"
  }

  /// The holds of captures in flight, in order of storing. A capture in flight without a hold was
  /// handed out and its outcome never recorded, or the record is damaged.
  public func holds() throws(StoreError) -> [Hold] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare("\(HoldColumn.query) ORDER BY key")
      var holds: [Hold] = []
      while try rows.step() {
        holds.append(
          Hold(
            key: CaptureKey(UInt32(clamping: rows.integer(HoldColumn.key))),
            boot: rows.text(HoldColumn.boot),
            since: Milliseconds(rows.integer(HoldColumn.sinceMilliseconds))))
      }
      return holds
    }
  }

  /// Records that the outcome of captures in flight is unknown from now on.
  public func hold(_ holds: [Hold]) throws(StoreError) {
    guard !holds.isEmpty else { return }
    try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        let row = try database.prepare(HoldColumn.replace)
        for hold in holds {
          try row.bind(Int64(hold.key.number), at: HoldColumn.key)
          try row.bind(hold.boot, at: HoldColumn.boot)
          try row.bind(hold.since.count, at: HoldColumn.sinceMilliseconds)
          try row.run()
        }
      }
    }
  }

  /// Makes some of the captures in flight pending again: the server does not have them and will not
  /// get them from earlier requests.
  ///
  /// - Returns: how many.
  @discardableResult
  public func release(_ keys: [CaptureKey], at now: UTC) throws(StoreError) -> Int {
    guard !keys.isEmpty else { return 0 }
    return try changingWithHistory { (tellsHistory: Bool) throws(SQLiteError) in
      let row = try database.prepare(
        CaptureColumn.update(
          [("state", "'pending'"), ("stateChangedAt", "?1")],
          where: "key = ?2 AND state = 'inFlight'"))
      let history = try database.prepare(
        HistoryRow.adding(HistoryRow.unanswered, where: "c.key = ?2 AND c.state = 'inFlight'"))
      var count = 0
      for key in keys {
        if tellsHistory {
          try history.bind(Int64(key.number), at: 2)
          try history.run()
        }
        try row.bind(now.milliseconds, at: 1)
        try row.bind(Int64(key.number), at: 2)
        count += try row.run()
      }
      return count
    }
  }
}

/// Which of the captures that were set aside are meant: `17`, `6F1C:17` or `all`.
public enum CaptureSelection: Sendable, Equatable {
  case all
  case one(CaptureName)

  /// The hint when a text is not valid.
  public static let wanted = StorePhrase.wantedSelection.texts

  /// `nil` when the text is not valid.
  public init?(_ text: String) {
    if text == "all" {
      self = .all
    } else if let name = CaptureName(text) {
      self = .one(name)
    } else {
      return nil
    }
  }
}

extension CaptureStore {
  /// Makes captures pending again that were set aside.
  ///
  /// - Returns: how many.
  /// - Throws: `ambiguous` if captures of several devices have the name.
  @discardableResult
  public func requeue(_ selection: CaptureSelection, at now: UTC) throws(StoreError) -> Int {
    switch selection {
    case .all: return try requeue(at: now)
    case .one(let name):
      let named = try captures(named: name)
      if let instead = Self.moreDigits(named) {
        throw StoreError(.ambiguous(name: "\(name)", instead: instead), path: database.path)
      }
      return try requeue(named.map(\.key), at: now)
    }
  }

  /// Names that distinguish captures of several devices; `nil` if there is at most one device.
  private static func moreDigits(_ captures: [StoredCapture]) -> [String]? {
    let devices = Set(captures.map { $0.device.digits })
    guard devices.count > 1, let sequence = captures.first?.capture.sequence else { return nil }
    let count = (CaptureName.shownDigits...32).first { count in
      Set(devices.map { $0.prefix(count) }).count == devices.count
    }
    return devices.sorted().map { "\($0.prefix(count ?? 32)):\(sequence)" }
  }
}
