import SQL
import TrackerCore
import Wording

/// What holds of a stored capture from now on: it was changed or deleted, or is back.
///
/// Whoever reads captures in the order of their storing learns of it from these.
public struct CaptureRevision: Sendable, Equatable {
  /// Counts up: of two about one capture the one with the greater number holds.
  public var number: Int64
  /// As it is now; of one that is gone only which it was, and whose.
  public var capture: TakenCapture
  public var isGone: Bool
}

extension FeatureStore {
  /// The columns beside those of a capture.
  private static let list = TakenCapture.list + ", object, arrived, gone"

  static let revisions = """
    CREATE TABLE revision (
      number INTEGER PRIMARY KEY AUTOINCREMENT, object INTEGER NOT NULL, arrived INTEGER,
      gone INTEGER NOT NULL, CodiEquip TEXT, Equip TEXT, UUID TEXT, Motiu TEXT, Silenci TEXT,
      Entrada INTEGER, ProperContacte INTEGER, Bateria REAL, Ordre INTEGER, Precisio INTEGER,
      x REAL, y REAL);
    CREATE INDEX revision_by_uuid ON revision(UUID);
    """

  static func capture(
    _ object: Int64, _ engine: borrowing Engine
  ) throws(SQLError) -> TakenCapture? {
    let row = try engine.database.prepare(
      """
      SELECT \(TakenCapture.list), coalesce(arrived, Entrada) FROM capture WHERE OBJECTID = ?
      """, isKept: true)
    try row.bind(object, at: 1)
    guard try row.step() else { return nil }
    var capture = TakenCapture(objectID: object, row)
    let next = TakenCapture.count
    capture.arrived = row.isNull(next) ? nil : UTC(milliseconds: row.integer(next))
    row.reset()
    return capture
  }

  /// Writes down how a capture has changed.
  ///
  /// - Parameter before: as it was; `nil`: nothing is written down.
  static func revise(
    _ before: TakenCapture?, _ engine: borrowing Engine
  ) throws(SQLError) {
    guard let before else { return }
    let after = try capture(before.objectID, engine)
    if after == before { return }
    // To who reads them it is another one.
    if after?.id != before.id || after?.sender != before.sender {
      var gone = TakenCapture(objectID: before.objectID)
      (gone.id, gone.device, gone.team) = (before.id, before.device, before.team)
      (gone.sequence, gone.arrived) = (before.sequence, before.arrived)
      try keep(gone, isGone: true, engine)
    }
    if let after { try keep(after, isGone: false, engine) }
  }

  /// Writes down that captures which were gone are back.
  static func noteReturn(of objects: [Int64], _ engine: borrowing Engine) throws(SQLError) {
    for object in objects {
      if let capture = try capture(object, engine) { try keep(capture, isGone: false, engine) }
    }
  }

  private static func keep(
    _ capture: TakenCapture, isGone: Bool, _ engine: borrowing Engine
  ) throws(SQLError) {
    let row = try engine.database.prepare(
      """
      INSERT INTO revision (\(list))
      VALUES (\(TakenCapture.columns.map { _ in "?" }.joined(separator: ", ")), ?, ?, ?)
      """, isKept: true)
    try capture.bind(to: row)
    try row.bind(capture.objectID, at: TakenCapture.count + 1)
    try row.bind(capture.arrived?.milliseconds, at: TakenCapture.count + 2)
    try row.bind(isGone ? Int64(1) : 0, at: TakenCapture.count + 3)
    try row.run()
  }

  fileprivate func revisions(after number: Int64, atMost count: Int) throws -> [CaptureRevision] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        "SELECT \(Self.list), number FROM revision WHERE number > ? ORDER BY number LIMIT ?",
        isKept: true)
      try rows.bind(number, at: 1)
      try rows.bind(Int64(count), at: 2)
      let next = TakenCapture.count
      var revisions: [CaptureRevision] = []
      while try rows.step() {
        var capture = TakenCapture(objectID: rows.integer(next), rows)
        capture.arrived = rows.isNull(next + 1) ? nil : UTC(milliseconds: rows.integer(next + 1))
        revisions.append(
          CaptureRevision(
            number: rows.integer(next + 3), capture: capture, isGone: rows.integer(next + 2) != 0))
      }
      return revisions
    }
  }
}

extension FeatureServer {
  /// What has been said of captures since they were stored, after a number, in its order.
  public func revisions(after number: Int64, atMost count: Int) throws -> [CaptureRevision] {
    try store.revisions(after: number, atMost: count)
  }
}
