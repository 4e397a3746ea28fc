internal import SQLite
public import TrackerCore

/// A message of the organisers that the tracker has fetched.
public struct KeptMessage: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// A human has read an emergency.
    case read
    /// A human has said that it is over.
    case ended
    case message
    /// An order for this tracker, in `text`.
    case order
  }

  /// As the server counts them, from 1.
  public var number: UInt32
  public var kind: Kind
  /// Without what a terminal would act on, as the author.
  public var text: String
  public var author: String
  /// When it was written, by the server's clock; `nil`: it did not say.
  public var created: UTC?
  /// Of `read` and `ended`: the number of the newest capture of the emergency that the person saw;
  /// `nil` also if that was another device's.
  public var sequence: UInt32?
  /// Of an order: what became of it; `nil`: nothing yet.
  public var outcome: String?

  public init(
    number: UInt32, kind: Kind, text: String, author: String, created: UTC?,
    sequence: UInt32? = nil
  ) {
    (self.number, self.kind, self.text) = (number, kind, text)
    (self.author, self.created, self.sequence) = (author, created, sequence)
  }
}

// Messages are kept before the server is told that the tracker has them, so that a kill in between
// loses none; one that comes again is the same by its number and its date. Each device has its own:
// an answer refers to a device's own captures.
extension CaptureStore {
  /// Writes messages to disk, durably, except those that are there. Of too many the oldest go.
  public func keep(_ messages: [KeptMessage]) throws(StoreError) {
    guard !messages.isEmpty else { return }
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        for message in messages {
          try MessageRow.insert(message, of: device.lowercaseText, into: database)
        }
        try database.execute(
          """
          DELETE FROM messages WHERE id <= (
            SELECT max(id) FROM messages) - \(StoreBounds.messagesKept);
          DELETE FROM outcomes WHERE id NOT IN (SELECT id FROM messages)
          """)
      }
    }
  }

  /// What this device has fetched, the oldest first, without damaged rows.
  public func messages() throws(StoreError) -> [KeptMessage] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        "\(MessageRow.Column.query) AND device = ? ORDER BY id", isKept: true)
      try rows.bind(device.lowercaseText, at: 1)
      var messages: [KeptMessage] = []
      while try rows.step() {
        guard var message = MessageRow.message(rows) else { continue }
        if message.kind == .order {
          message.outcome = try outcome(ofRow: rows.integer(MessageRow.Column.id))
        }
        messages.append(message)
      }
      return messages
    }
  }

  private func outcome(ofRow id: Int64) throws(SQLiteError) -> String? {
    let row = try database.prepare("\(OutcomeRow.Column.query) AND id = ?", isKept: true)
    try row.bind(id, at: 1)
    return try row.step() ? row.text(OutcomeRow.Column.outcome) : nil
  }

  /// Writes to disk, durably, what became of an order; of an order that is not there, nothing.
  public func conclude(_ order: KeptMessage, _ outcome: String) throws(StoreError) {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        "\(MessageRow.Column.query) AND device = ? AND number = ? AND created = ?", isKept: true)
      try rows.bind(device.lowercaseText, at: 1)
      try rows.bind(Int64(order.number), at: 2)
      try rows.bind(order.created?.milliseconds ?? 0, at: 3)
      guard try rows.step() else { return }
      try OutcomeRow.write(
        outcome, ofRow: rows.integer(MessageRow.Column.id), of: device.lowercaseText,
        into: database)
    }
  }
}

/// Rows of the table `outcomes`.
enum OutcomeRow {
  enum Column: Int32, StoreColumn {
    case id, device, outcome

    static let table = "outcomes"
  }

  static func write(
    _ outcome: String, ofRow id: Int64, of device: String, into database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(Column.replace, isKept: true)
    try row.bind(id, at: Column.id)
    try row.bind(device, at: Column.device)
    try row.bind(outcome, at: Column.outcome)
    try row.run()
  }

  static func mayBe(_ record: RawRecord) -> Bool {
    record.text(Column.device.index).flatMap { UniqueID(text: $0) } != nil
      && record.text(Column.outcome.index) != nil
  }
}

/// Rows of the table `messages`. They are salvaged from a damaged file, and a second store takes
/// them over.
enum MessageRow {
  enum Column: Int32, StoreColumn {
    case id, device, number, created, kind, text, author, sequence

    static let table = "messages"
  }

  static func insert(
    _ message: KeptMessage, of device: String, into database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let created = message.created?.milliseconds ?? 0
    let known = try database.prepare(
      """
      SELECT 1 FROM messages
      WHERE device = ? AND number = ? AND created = ? AND \(Column.isWhole)
      """, isKept: true)
    try known.bind(device, at: 1)
    try known.bind(Int64(message.number), at: 2)
    try known.bind(created, at: 3)
    guard try !known.step() else { return }
    let id = try database.integer("SELECT coalesce(max(id), 0) + 1 FROM messages") ?? 1
    let row = try database.prepare(Column.insert, isKept: true)
    try row.bind(id, at: Column.id)
    try row.bind(device, at: Column.device)
    try row.bind(Int64(message.number), at: Column.number)
    try row.bind(created, at: Column.created)
    try row.bind(message.kind.rawValue, at: Column.kind)
    try row.bind(message.text, at: Column.text)
    try row.bind(message.author, at: Column.author)
    try row.bind(message.sequence.map { Int64($0) }, at: Column.sequence)
    try row.run()
    guard let outcome = message.outcome else { return }
    try OutcomeRow.write(outcome, ofRow: id, of: device, into: database)
  }

  static func mayBe(_ record: RawRecord) -> Bool {
    record.text(Column.kind.index).flatMap(KeptMessage.Kind.init(rawValue:)) != nil
  }

  static func message(_ row: borrowing SQLiteStatement) -> KeptMessage? {
    guard let number: UInt32 = row.number(Column.number),
      let kind = KeptMessage.Kind(rawValue: row.text(Column.kind))
    else { return nil }
    let created = row.integer(Column.created)
    return KeptMessage(
      number: number, kind: kind, text: row.text(Column.text), author: row.text(Column.author),
      created: created == 0 ? nil : UTC(milliseconds: created),
      sequence: row.number(Column.sequence))
  }
}
