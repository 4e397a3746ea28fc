import SQL
public import TrackerCore
import Wording

/// A message of the control room to a tracker.
public struct TrackerMessage: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// A human has read the tracker's emergency.
    case read
    /// A human says that it is over; the text says why.
    case ended
    case message
    /// An order for the tracker, in the text.
    case order
  }

  /// The tracker's code (`CodiEquip`).
  public var device: String
  /// Counts up for each tracker, from 1.
  public var number: Int64
  public var kind: Kind
  /// At most 500 characters.
  public var text: String
  /// Who wrote it.
  public var author: String
  public var created: UTC
  /// Of `read` and `ended`: the number of the newest capture of the emergency that the person saw.
  public var sequence: UInt32?
  /// Of these: the UUID of that capture, which tells two trackers with one code apart.
  public var capture: String?
  /// Of these: since when the emergency lasts, which tells it from another one.
  public var emergency: UTC?
  /// When the tracker had it, and of an order had obeyed or refused it, by the tracker's word.
  public var fetched: UTC?
  /// Of an order: after this it is no longer wanted.
  public var expires: UTC?
  /// Of an order: what became of it, in the tracker's words: `fetched`, `in force`, `refused: …`.
  public var result: String?
}

/// A person's answer to an emergency.
public struct AnsweredEmergency: Sendable, Equatable {
  public var device: String
  /// When its first capture arrived.
  public var since: UTC
  /// Captures that arrived later are none that the person has seen; `nil`: no bound.
  public var until: UTC?
  /// The last capture that the person may have seen.
  public var object: Int64
  /// The same of those that the layer refused.
  public var refusal: Int64
  public var kind: TrackerMessage.Kind
  public var author: String
  public var text = ""

  public init(
    device: String, since: UTC, object: Int64, refusal: Int64, kind: TrackerMessage.Kind,
    author: String
  ) {
    (self.device, self.since, self.object, self.refusal) = (device, since, object, refusal)
    (self.kind, self.author) = (kind, author)
  }
}

extension FeatureServer {
  /// Sends a text to a tracker; what a terminal would act on becomes blank.
  public func send(_ text: String, to device: String, by author: String, at now: UTC) throws {
    try store.add(
      TrackerMessage(
        device: device, number: 0, kind: .message, text: text, author: author, created: now))
  }

  /// Orders something of a tracker, which obeys within the limits of its own configuration.
  public func order(
    _ text: String, of device: String, by author: String, until expires: UTC, at now: UTC
  ) throws {
    try store.add(
      TrackerMessage(
        device: device, number: 0, kind: .order, text: text, author: author, created: now,
        expires: expires))
  }

  /// Has a tracker told what a person says of its emergency, once: again it changes nothing.
  public func answer(_ answer: AnsweredEmergency, at now: UTC) throws {
    let isTold = try store.messages(to: answer.device).contains {
      $0.kind == answer.kind && $0.author == answer.author.storable(100)
        && $0.emergency == answer.since
    }
    guard !isTold else { return }
    for (sequence, capture) in try store.lastOfEmergency(answer) {
      try store.add(
        TrackerMessage(
          device: answer.device, number: 0, kind: answer.kind, text: answer.text,
          author: answer.author, created: now, sequence: sequence, capture: capture,
          emergency: answer.since))
    }
  }

  /// Notes that a tracker has fetched a message elsewhere; the first time counts.
  public func noteFetched(_ message: TrackerMessage, at now: UTC) throws {
    try store.noteFetched(message, at: now)
  }

  /// Another one after each change of the messages.
  public var messageVersion: Int { store.messageVersion.withLock { $0 } }

  /// What was sent to a tracker, or to all, the oldest first.
  public func messages(to device: String? = nil) throws -> [TrackerMessage] {
    try store.messages(to: device)
  }
}

extension FeatureStore {
  /// Of each device with that code the last capture of an emergency, refused ones too: the tracker
  /// has set them aside, and waits for an answer all the same. Two devices have one code after a
  /// card was copied; the UUIDs of a device's captures differ in the last 32 bits only.
  fileprivate func lastOfEmergency(
    _ answer: AnsweredEmergency
  ) throws -> [(sequence: UInt32?, capture: String?)] {
    try withEngine { engine in
      let row = try engine.database.prepare(
        """
        SELECT Ordre, UUID FROM (
          SELECT Ordre, UUID, place, row_number() OVER (
            PARTITION BY CASE substr(UUID, 15, 1) WHEN '8' THEN substr(UUID, 1, 28) ELSE '' END
            ORDER BY place DESC) AS turn
          FROM (
            SELECT Ordre, UUID, coalesce(Ordre, OBJECTID) AS place FROM capture
            WHERE CodiEquip = ?1 AND Motiu = 'emergency' AND OBJECTID <= ?2
              AND coalesce(arrived, Entrada) BETWEEN ?3 AND ?4
            UNION ALL SELECT Ordre, UUID, coalesce(Ordre, number) FROM refusal
            WHERE CodiEquip = ?1 AND Motiu = 'emergency' AND number <= ?5
              AND arrived BETWEEN ?3 AND ?4) AS calls
          WHERE Ordre BETWEEN 0 AND 4294967295
            OR Ordre IS NULL AND substr(UUID, 15, 1) = '8') AS numbered
        WHERE turn = 1 ORDER BY place DESC LIMIT 4
        """, isKept: true)
      try row.bind(answer.device, at: 1)
      try row.bind(answer.object, at: 2)
      try row.bind(answer.since.milliseconds, at: 3)
      try row.bind(answer.until?.milliseconds ?? .max, at: 4)
      try row.bind(answer.refusal, at: 5)
      var last: [(sequence: UInt32?, capture: String?)] = []
      while try row.step() {
        last.append(
          (row.isNull(0) ? nil : UInt32(row.integer(0)), row.isNull(1) ? nil : row.text(1)))
      }
      return last
    }
  }

  /// Adds a message under its tracker's next number. Where there are too many the oldest goes.
  fileprivate func add(_ message: TrackerMessage) throws {
    try withEngine { engine in
      try engine.database.transaction { () throws(SQLError) in
        let row = try engine.database.prepare(
          """
          INSERT INTO message (
            Desti, Numero, Classe, Text, Autor, Creat, Ordre, emergency, Fins, Captura)
          SELECT ?1, 1 + coalesce(max(Numero), 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
          FROM message WHERE Desti = ?1
          """, isKept: true)
        try row.bind(message.device, at: 1)
        try row.bind(message.kind.rawValue, at: 2)
        try row.bind(message.text.storable(Bounds.messageCharacters), at: 3)
        try row.bind(message.author.storable(100), at: 4)
        try row.bind(message.created.milliseconds, at: 5)
        try row.bind(message.sequence.map { Int64($0) }, at: 6)
        try row.bind(message.emergency?.milliseconds, at: 7)
        try row.bind(message.expires?.milliseconds, at: 8)
        try row.bind(message.capture, at: 9)
        try row.run()
        let old = try engine.database.prepare(
          """
          DELETE FROM message WHERE Desti = ?1 AND Numero <= (
            SELECT max(Numero) FROM message WHERE Desti = ?1) - ?2
          """, isKept: true)
        try old.bind(message.device, at: 1)
        try old.bind(Bounds.messagesOfDevice, at: 2)
        try old.run()
        try engine.database.tell(FeatureServer.letters)
      }
    }
    messageVersion.withLock { $0 += 1 }
  }

  fileprivate func messages(to device: String?) throws -> [TrackerMessage] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT Desti, Numero, Classe, Text, Autor, Creat, Ordre, Rebut, emergency, Fins, Resultat,
          Captura
        FROM message
        WHERE CAST(?1 AS TEXT) IS NULL OR Desti = ?1 ORDER BY Desti, Numero
        """, isKept: true)
      try rows.bind(device, at: 1)
      var messages: [TrackerMessage] = []
      while try rows.step() {
        guard let kind = TrackerMessage.Kind(rawValue: rows.text(2)) else { continue }
        messages.append(
          TrackerMessage(
            device: rows.text(0), number: rows.integer(1), kind: kind, text: rows.text(3),
            author: rows.text(4), created: UTC(milliseconds: rows.integer(5)),
            sequence: rows.isNull(6) ? nil : UInt32(exactly: rows.integer(6)),
            capture: rows.isNull(11) ? nil : rows.text(11),
            emergency: rows.isNull(8) ? nil : UTC(milliseconds: rows.integer(8)),
            fetched: rows.isNull(7) ? nil : UTC(milliseconds: rows.integer(7)),
            expires: rows.isNull(9) ? nil : UTC(milliseconds: rows.integer(9)),
            result: rows.isNull(10) ? nil : rows.text(10)))
      }
      return messages
    }
  }

  fileprivate func noteFetched(_ message: TrackerMessage, at now: UTC) throws {
    try withEngine { engine in
      let row = try engine.database.prepare(
        "UPDATE message SET Rebut = coalesce(Rebut, ?) WHERE Desti = ? AND Numero = ?",
        isKept: true)
      try row.bind(now.milliseconds, at: 1)
      try row.bind(message.device, at: 2)
      try row.bind(message.number, at: 3)
      try row.run()
      try engine.database.tell(FeatureServer.letters)
    }
    messageVersion.withLock { $0 += 1 }
  }

  /// Writes when a tracker has fetched a message; the first time counts, and nothing after it.
  static func confirm(
    _ confirmation: Confirmation, _ engine: borrowing Engine
  ) throws(SQLError) -> ItemResult {
    let row = try engine.database.prepare(
      """
      UPDATE message SET Rebut = coalesce(Rebut, ?1),
        Resultat = CASE WHEN Rebut IS NULL AND Classe = 'order'
          THEN coalesce(?2, Resultat) ELSE Resultat END
      WHERE OBJECTID = ?3 AND Desti = ?4
      """, isKept: true)
    try row.bind(confirmation.fetched, at: 1)
    try row.bind(confirmation.result, at: 2)
    try row.bind(confirmation.object, at: 3)
    try row.bind(confirmation.device, at: 4)
    guard try row.run() == 1 else {
      return ItemResult(outcome: .refused(.missing("the device has no such message")))
    }
    return ItemResult(outcome: .done(objectID: confirmation.object))
  }
}

extension String {
  /// One line, cut to so many characters.
  fileprivate func storable(_ characters: Int) -> String {
    String(String.UnicodeScalarView(plain.unicodeScalars.prefix(characters)))
  }
}
