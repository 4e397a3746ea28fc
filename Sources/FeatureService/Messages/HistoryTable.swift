public import History
import SQL
import TrackerCore
import Wording

/// The table of histories that the control room has asked trackers for: they add rows, which are
/// parts of an answer, and nobody changes any. Its positions are no captures.
extension Layer {
  static let history = Layer(
    id: 3, name: "Historia", geometry: nil,
    fields: [
      Field(name: "OBJECTID", kind: .objectID),
      Field(name: "Desti", kind: .text(length: 50)),
      Field(name: "Clau", kind: .text(length: HistoryBounds.keyBytes)),
      Field(name: "Numero", kind: .integer),
      Field(name: "Part", kind: .integer),
      Field(name: "Inici", kind: .date),
      Field(name: "Punts", kind: .text(length: HistoryBounds.textBytes)),
    ], table: "history", isEditable: true)

  var isHistory: Bool { table == "history" }
}

/// A part of a history as it is stored.
struct StoredHistory: Sendable, Equatable {
  /// The tracker's code.
  var device: String
  var part: HistoryPart

  /// Validates a row that a tracker adds.
  init(_ feature: IncomingFeature) throws(ItemError) {
    let row = try TableRow(feature, of: .history)
    device = try row.required(text: "Desti")
    guard let request = UInt32(exactly: try row.required(integer: "Numero")),
      let part = Int32(exactly: try row.required(integer: "Part"))
    else { throw .outOfRange }
    self.part = HistoryPart(
      key: try row.required(text: "Clau"), request: request, number: Int(part),
      begins: UTC(milliseconds: try row.required(integer: "Inici")),
      text: try row.required(text: "Punts"))
    guard self.part.positions != nil else { throw .noPositions }
  }
}

extension ItemError {
  static let noPositions = ItemError(
    code: 1022, description: "Punts is not a list of seconds, latitudes and longitudes.")
}

extension FeatureServer {
  /// What a tracker has told on request, in order of requests, parts and time.
  public func history(of device: String) throws -> [HistoryPart] {
    try store.history(of: device)
  }
}

extension FeatureStore {
  fileprivate func history(of device: String) throws -> [HistoryPart] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT Clau, Numero, Part, Inici, Punts FROM history WHERE Desti = ?
        ORDER BY Numero, Part, OBJECTID
        """, isKept: true)
      try rows.bind(device, at: 1)
      var parts: [HistoryPart] = []
      while try rows.step() {
        parts.append(
          HistoryPart(
            key: rows.text(0), request: UInt32(clamping: rows.integer(1)),
            number: Int(rows.integer(2)), begins: UTC(milliseconds: rows.integer(3)),
            text: rows.text(4)))
      }
      return parts
    }
  }

  /// Adds a part; one that is there already is added once. Of too many of a tracker the oldest go.
  static func add(
    _ history: StoredHistory, _ engine: borrowing Engine, _ now: UTC
  ) throws(SQLError) -> ItemResult {
    let known = try engine.database.prepare(
      "SELECT OBJECTID FROM history WHERE Desti = ? AND Clau = ?", isKept: true)
    try known.bind(history.device, at: 1)
    try known.bind(history.part.key, at: 2)
    if try known.step() { return ItemResult(outcome: .done(objectID: known.integer(0))) }
    let row = try engine.database.prepare(
      """
      INSERT INTO history (Desti, Clau, Numero, Part, Inici, Punts, arrived)
      VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING OBJECTID
      """, isKept: true)
    try row.bind(history.device, at: 1)
    try row.bind(history.part.key, at: 2)
    try row.bind(Int64(history.part.request), at: 3)
    try row.bind(Int64(history.part.number), at: 4)
    try row.bind(history.part.begins.milliseconds, at: 5)
    try row.bind(history.part.text, at: 6)
    try row.bind(now.milliseconds, at: 7)
    let object = try row.onlyNumber()
    let old = try engine.database.prepare(
      """
      DELETE FROM history WHERE Desti = ?1 AND OBJECTID <= (
        SELECT OBJECTID FROM history WHERE Desti = ?1
        ORDER BY OBJECTID DESC LIMIT 1 OFFSET ?2)
      """, isKept: true)
    try old.bind(history.device, at: 1)
    try old.bind(Bounds.historyPartsOfDevice, at: 2)
    try old.run()
    return ItemResult(outcome: .done(objectID: object))
  }
}
