import SQL
public import TrackerCore
import Wording

/// Somebody who has sent captures.
public struct Sender: Sendable, Equatable {
  /// The text of `CaptureSender`.
  public var tracker: String
  /// What it called its team, what it called it most often first.
  public var names: [String]

  public init(tracker: String, names: [String]) {
    (self.tracker, self.names) = (tracker, names)
  }
}

extension FeatureStore {
  fileprivate func senders() throws -> [Sender] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT \(CaptureSender.sql) AS tracker, coalesce(Equip, '') AS name, count(*) AS often
        FROM (SELECT CodiEquip, Equip FROM capture UNION ALL SELECT CodiEquip, Equip FROM refusal
          UNION ALL SELECT CodiEquip, Equip FROM revision) AS senders
        GROUP BY tracker, name ORDER BY tracker, often DESC, name
        """)
      var senders: [Sender] = []
      while try rows.step() {
        // Not by Swift's equality, for which two codes in SQLite may be one.
        if !(senders.last?.tracker.utf8.elementsEqual(rows.text(0).utf8) ?? false) {
          senders.append(Sender(tracker: rows.text(0), names: []))
        }
        if !rows.text(1).isEmpty { senders[senders.count - 1].names.append(rows.text(1)) }
      }
      return senders
    }
  }

  /// Deletes captures, stored and refused ones, so that their bytes are gone, too.
  ///
  /// - Returns: how many.
  fileprivate func erase(
    where condition: String,
    _ bind: @Sendable (any SQLStatement) throws(SQLError) -> Void
  ) throws -> Int {
    try withEngine { engine in
      try engine.database.forgetDeleted()
      return try engine.database.unhurried {
        try engine.database.transaction { () throws(SQLError) in
          var count = 0
          for table in ["capture", "refusal"] {
            let rows = try engine.database.prepare("DELETE FROM \(table) WHERE \(condition)")
            try bind(rows)
            count += try rows.run()
          }
          // They are about some of these, or about what is gone already.
          let revised = try engine.database.prepare("DELETE FROM revision WHERE \(condition)")
          try bind(revised)
          try revised.run()
          try engine.database.execute(Self.forgetting)
          return count
        }
      }
    }
  }

  fileprivate func erase(tracker: String) throws -> Int {
    // A tracker without a code has no letter box.
    if case .device(let code) = CaptureSender(tracker) {
      for table in ["message", "note", "history"] {
        try eraseWords(table, where: "Desti = ?") { rows throws(SQLError) in
          try rows.bind(code, at: 1)
        }
      }
    }
    return try erase(where: "\(CaptureSender.sql) = ?") { rows throws(SQLError) in
      try rows.bind(tracker, at: 1)
    }
  }

  /// Deletes messages, notes or histories.
  private func eraseWords(
    _ table: String, where condition: String,
    _ bind: @Sendable (any SQLStatement) throws(SQLError) -> Void
  ) throws {
    try withEngine { engine in
      try engine.database.forgetDeleted()
      let rows = try engine.database.prepare("DELETE FROM \(table) WHERE \(condition)")
      try bind(rows)
      try rows.run()
    }
  }

  fileprivate func erase(before utc: UTC) throws -> Int {
    for (table, date) in [
      ("message", "Creat"), ("note", "arrived"), ("history", "arrived"),
    ] {
      try eraseWords(table, where: "\(date) < ?") { rows throws(SQLError) in
        try rows.bind(utc.milliseconds, at: 1)
      }
    }
    return try erase(where: "coalesce(arrived, Entrada) < ?") { rows throws(SQLError) in
      try rows.bind(utc.milliseconds, at: 1)
    }
  }
}

extension FeatureServer {
  /// Who has sent captures, by their codes.
  public func senders() throws -> [Sender] { try store.senders() }

  /// Deletes all captures of a tracker, stored and refused ones, and their bytes.
  ///
  /// - Returns: how many.
  public func erase(tracker: String) throws -> Int { try store.erase(tracker: tracker) }

  /// Deletes all captures that arrived before a time.
  public func erase(before utc: UTC) throws -> Int { try store.erase(before: utc) }

  /// Rewrites the database and empties its log: nothing of what was deleted stays in the files.
  public func compact() throws { try store.withEngine { try FeatureSchema.compact($0.database) } }
}
