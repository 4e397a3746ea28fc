internal import SQLite
public import TrackerCore

// What a tracker has to remember across restarts, apart from its captures.
extension CaptureStore {
  /// Sessions kept for people to read; only the last one matters.
  private static let sessionsKept: Int64 = 100

  /// Writes orders, session and charge to disk in one transaction, durably.
  public func remember(_ memory: Memory, at time: MachineTime) throws(StoreError) {
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        try database.prepare("DELETE FROM orders", isKept: true).run()
        if let order = memory.teamOrder { try OrderRow(team: order, time).insert(into: database) }
        if let order = memory.sessionOrder {
          try OrderRow(session: order, time).insert(into: database)
        }
        try ChargeRow.write(memory.charge, time, to: database)
        try CourseRow.write(memory.course, time, to: database)
        guard let session = memory.session else {
          return try database.execute("DELETE FROM sessions")
        }
        try SessionRow(session, time).insert(into: database)
        let old = try database.prepare("DELETE FROM sessions WHERE number <= ?", isKept: true)
        try old.bind(Int64(session.number) - Self.sessionsKept, at: 1)
        try old.run()
      }
    }
  }

  /// What was remembered last. Damaged rows are left out: a tracker without an order follows its
  /// configuration.
  public func memory(at time: MachineTime) throws(StoreError) -> Memory {
    try stating { () throws(SQLiteError) in
      var memory = Memory()
      let orders = try database.prepare(
        """
        SELECT \(OrderRow.columns) FROM orders WHERE \(CheckedRow.isWhole(OrderRow.columns))
        """)
      while try orders.step() {
        guard let row = OrderRow(orders) else { continue }
        switch row.key {
        case .team: memory.teamOrder = row.team(time)
        case .session: memory.sessionOrder = row.session(time)
        }
      }
      let sessions = try database.prepare(
        """
        SELECT \(SessionRow.columns), \(CheckedRow.isWhole(SessionRow.columns)) FROM sessions
        ORDER BY number DESC LIMIT 1
        """)
      // If the last one is damaged, earlier ones do not count either.
      if try sessions.step(), sessions.integer(Int32(SessionRow.columnCount)) == 1 {
        memory.session = SessionRow(sessions)?.record(time)
      }
      sessions.reset()
      memory.charge = try ChargeRow.read(database, time)
      memory.course = try CourseRow.record(database, time)
      return memory
    }
  }
}
