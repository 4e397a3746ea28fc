import Digests
import FeatureService
import SQL
import TrackerCore

/// A telephone that may report where it is, or a tracker that sends OsmAnd requests.
struct EnrolledPhone: Sendable, Equatable {
  var number: Int64
  /// Of its address; that itself is kept nowhere.
  var keyHash: String
  /// The code under which its captures are stored.
  var tracker: String
  /// Of its team, or of who carries it.
  var name: String
  var made: UTC
  var expires: UTC
  var isRevoked: Bool
  /// It promises, proves, and calls for help.
  var isTracker: Bool
  /// The app that it was heard by last, and how that calls it; `nil`: it was never heard.
  var shown: String?

  func isValid(at now: UTC) -> Bool { !isRevoked && now < expires }
}

/// The telephones that may report: beside the links of followers, and kept as these.
extension AccessStore {
  static let phones = """
    CREATE TABLE IF NOT EXISTS phone (number BIGINT PRIMARY KEY, key TEXT NOT NULL UNIQUE,
      tracker TEXT NOT NULL, name TEXT NOT NULL, made BIGINT NOT NULL, expires BIGINT NOT NULL,
      revoked BIGINT, shown TEXT);
    """
  /// Those of them that are trackers.
  static let phoneTrackers = "CREATE TABLE IF NOT EXISTS phone_tracker (number BIGINT PRIMARY KEY);"

  /// All of them, the newest first.
  func phones() throws -> [EnrolledPhone] { try phones("") { _ in } }

  /// - Parameter key: what its address ends with.
  /// - Returns: also one that is not valid any more; `nil`: there never was such a one.
  func phone(_ key: String) throws -> EnrolledPhone? {
    try phones("WHERE key = ?") { rows throws(SQLError) in try rows.bind(sha256(key), at: 1) }
      .first
  }

  private func phones(
    _ clause: String, _ bind: (any SQLStatement) throws(SQLError) -> Void
  ) throws -> [EnrolledPhone] {
    try withDatabase { database in
      let rows = try database.prepare(
        """
        SELECT number, key, tracker, name, made, expires, revoked, shown,
          (SELECT count(*) FROM phone_tracker WHERE phone_tracker.number = phone.number)
        FROM phone \(clause)
        ORDER BY number DESC
        """)
      try bind(rows)
      var phones: [EnrolledPhone] = []
      while try rows.step() {
        phones.append(
          EnrolledPhone(
            number: rows.integer(0), keyHash: rows.text(1), tracker: rows.text(2),
            name: rows.text(3), made: UTC(milliseconds: rows.integer(4)),
            expires: UTC(milliseconds: rows.integer(5)), isRevoked: !rows.isNull(6),
            isTracker: rows.integer(8) > 0, shown: rows.isNull(7) ? nil : rows.text(7)))
      }
      return phones
    }
  }

  /// - Parameter tracker: the code of its captures; `nil`: one of its own.
  /// - Returns: what its address ends with, which is nowhere else, and the code.
  func enrol(
    _ name: String, as tracker: String?, isTracker: Bool = false, until expires: UTC, at now: UTC
  ) throws -> (key: String, number: Int64, tracker: String) {
    let key = newSecret()
    let others = try phones()
    guard others.count(where: { $0.isValid(at: now) }) < Bounds.phones else {
      throw ServiceError("there are \(Bounds.phones) phones already; revoke some")
    }
    let number = (others.first?.number ?? 0) + 1
    let code = tracker ?? "phone \(number)"
    try withDatabase { database in
      let row = try database.prepare(
        "INSERT INTO phone (number, key, tracker, name, made, expires) VALUES (?, ?, ?, ?, ?, ?)")
      try row.bind(number, at: 1)
      try row.bind(sha256(key), at: 2)
      try row.bind(code, at: 3)
      try row.bind(name, at: 4)
      try row.bind(now.milliseconds, at: 5)
      try row.bind(expires.milliseconds, at: 6)
      guard isTracker else {
        try row.run()
        return
      }
      try database.transaction { () throws(SQLError) in
        try row.run()
        // One of an erased number.
        try database.execute("DELETE FROM phone_tracker WHERE number = \(number)")
        let mark = try database.prepare("INSERT INTO phone_tracker VALUES (?)")
        try mark.bind(number, at: 1)
        try mark.run()
      }
    }
    return (key, number, code)
  }

  /// - Returns: whether there was one that was not revoked.
  func revoke(phone number: Int64, at now: UTC) throws -> Bool {
    try withDatabase { database in
      let row = try database.prepare(
        "UPDATE phone SET revoked = ? WHERE number = ? AND revoked IS NULL")
      try row.bind(now.milliseconds, at: 1)
      try row.bind(number, at: 2)
      return try row.run() > 0
    }
  }

  /// Writes down which app a telephone uses, if that is another than before.
  func note(_ app: String, _ name: String?, of phone: EnrolledPhone) throws {
    let shown = app + (name.map { ", \($0)" } ?? "")
    guard shown != phone.shown else { return }
    try withDatabase { database in
      let row = try database.prepare("UPDATE phone SET shown = ? WHERE number = ?")
      try row.bind(shown, at: 1)
      try row.bind(phone.number, at: 2)
      try row.run()
    }
  }

  /// Erases the telephones of a team, whose addresses end with that.
  func forgetPhones(of tracker: String) throws {
    try withDatabase { database in
      try database.forgetDeleted()
      try database.transaction { () throws(SQLError) in
        let row = try database.prepare("DELETE FROM phone WHERE tracker = ?")
        try row.bind(tracker, at: 1)
        try row.run()
        // A number is given again once the newest one is erased.
        try database.execute(
          "DELETE FROM phone_tracker WHERE number NOT IN (SELECT number FROM phone)")
      }
    }
  }
}
