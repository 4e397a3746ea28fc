import SQLite
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
          UNION ALL SELECT CodiEquip, Equip FROM revision)
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
    _ bind: @Sendable (borrowing SQLiteStatement) throws(SQLiteError) -> Void
  ) throws -> Int {
    try withEngine { engine in
      try engine.database.execute("PRAGMA secure_delete = ON")
      return try engine.database.transaction { () throws(SQLiteError) in
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

  fileprivate func erase(tracker: String) throws -> Int {
    // A tracker without a code has no letter box.
    if case .device(let code) = CaptureSender(tracker) {
      for table in ["message", "note", "history"] {
        try eraseWords(table, where: "Desti = ?") { rows throws(SQLiteError) in
          try rows.bind(code, at: 1)
        }
      }
    }
    return try erase(where: "\(CaptureSender.sql) = ?") { rows throws(SQLiteError) in
      try rows.bind(tracker, at: 1)
    }
  }

  /// Deletes messages, notes or histories.
  private func eraseWords(
    _ table: String, where condition: String,
    _ bind: @Sendable (borrowing SQLiteStatement) throws(SQLiteError) -> Void
  ) throws {
    try withEngine { engine in
      try engine.database.execute("PRAGMA secure_delete = ON")
      let rows = try engine.database.prepare("DELETE FROM \(table) WHERE \(condition)")
      try bind(rows)
      try rows.run()
    }
  }

  fileprivate func erase(before utc: UTC) throws -> Int {
    for (table, date) in [
      ("message", "Creat"), ("note", "arrived"), ("history", "arrived"),
    ] {
      try eraseWords(table, where: "\(date) < ?") { rows throws(SQLiteError) in
        try rows.bind(utc.milliseconds, at: 1)
      }
    }
    return try erase(where: "coalesce(arrived, Entrada) < ?") { rows throws(SQLiteError) in
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
  public func compact() throws { try store.withEngine { try $0.database.compact() } }
}
