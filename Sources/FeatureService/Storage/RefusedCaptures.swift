import SQL
import TrackerCore
import Wording

/// A tracker's capture that the layer did not take. The tracker sets it aside, so what is known of
/// it here is all that the organisers have.
public struct RefusedCapture: Sendable, Equatable {
  public var number: Int64
  /// In English, one sentence.
  public var reason: String
  /// As far as it could be read, texts cut to what the layer takes; its `objectID` is 0.
  public var capture: TakenCapture
}

extension RefusedCapture {
  /// - Returns: `nil` for a feature that is no tracker's capture: without an identifier, or of
  ///   nobody. Of an emergency the device is enough.
  init?(
    _ feature: IncomingFeature, _ problem: ItemError, for layer: Layer,
    _ systems: (any CoordinateSystems)?
  ) {
    guard let byName = feature.byName else { return nil }
    (number, reason, capture) = (0, problem.description, TakenCapture(objectID: 0))
    for field in layer.fields where field.isEditable {
      guard let value = byName[field.name.lowercased()] else { continue }
      if let stored = field.readable(value) { capture.take(stored, of: field.name) }
    }
    capture.position = (try? NewFeature.place(feature.geometry, systems))??.coordinate
    // Whoever asks for help is heard, however broken the rest is.
    guard capture.id != nil || capture.trigger == "emergency",
      capture.device != nil || capture.team != nil
    else { return nil }
  }
}

extension Field {
  /// A value as far as the field can have it.
  fileprivate func readable(_ value: IncomingFeature.Value) -> StoredValue? {
    if let stored = try? stored(value) { return stored }
    guard case .text(let length) = kind, case .text(let text) = value else { return nil }
    return .text(String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))))
  }
}

extension FeatureStore {
  /// Makes their table, or gives an earlier one the columns that it lacks.
  static func prepareRefusals(_ database: any SQLConnection) throws(SQLError) {
    try database.execute(refusals)
    for column in ["Ordre", "Precisio"] {
      let found = "SELECT count(*) FROM pragma_table_info('refusal') WHERE name = '\(column)'"
      if try database.integer(found) == 0 {
        try database.execute("ALTER TABLE refusal ADD COLUMN \(column) INTEGER")
      }
    }
  }

  /// A capture that is refused again is the same one.
  private static let refusals = """
    CREATE TABLE IF NOT EXISTS refusal (
      number INTEGER PRIMARY KEY AUTOINCREMENT, arrived INTEGER NOT NULL, CodiEquip TEXT,
      Equip TEXT, UUID TEXT, Motiu TEXT, Silenci TEXT, Entrada INTEGER,
      ProperContacte INTEGER, Bateria REAL, x REAL, y REAL, reason TEXT NOT NULL);
    CREATE UNIQUE INDEX IF NOT EXISTS refusal_once ON refusal(CodiEquip, UUID, Motiu);
    """

  /// Writes down what was refused, and says so to whoever watches.
  func keep(_ refused: [RefusedCapture], at now: UTC) throws {
    guard !refused.isEmpty else { return }
    try withEngine { engine in
      try engine.database.transaction { () throws(SQLError) in
        let row = try engine.database.prepare(
          """
          INSERT INTO refusal (\(TakenCapture.list), arrived, reason)
          VALUES (\(TakenCapture.columns.map { _ in "?" }.joined(separator: ", ")), ?, ?)
          ON CONFLICT DO NOTHING
          """, isKept: true)
        for one in refused {
          try one.capture.bind(to: row)
          try row.bind(now.milliseconds, at: TakenCapture.count + 1)
          try row.bind(one.reason, at: TakenCapture.count + 2)
          try row.run()
        }
        try engine.database.tell(FeatureServer.captures)
      }
    }
    self.refused?(refused)
  }

  fileprivate func refusals(after number: Int64, atMost count: Int) throws -> [RefusedCapture] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT \(TakenCapture.list), number, arrived, reason
        FROM refusal WHERE number > ? ORDER BY number LIMIT ?
        """, isKept: true)
      try rows.bind(number, at: 1)
      try rows.bind(Int64(count), at: 2)
      let next = TakenCapture.count
      var refused: [RefusedCapture] = []
      while try rows.step() {
        var capture = TakenCapture(objectID: 0, rows)
        capture.arrived = UTC(milliseconds: rows.integer(next + 1))
        refused.append(
          RefusedCapture(
            number: rows.integer(next), reason: rows.text(next + 2), capture: capture))
      }
      return refused
    }
  }
}

extension FeatureServer {
  /// The captures that were refused after one of these, in their order.
  public func refusals(after number: Int64, atMost count: Int) throws -> [RefusedCapture] {
    try store.refusals(after: number, atMost: count)
  }
}
