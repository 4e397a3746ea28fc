import SQLite
import TrackerCore
import Wording

extension FeatureStore {
  /// The captures after an object, in the order in which they were stored.
  func captures(after object: Int64, atMost count: Int) throws -> [TakenCapture] {
    try withEngine { engine in
      let rows = try engine.database.prepare(
        """
        SELECT OBJECTID, coalesce(arrived, Entrada), CodiEquip, Equip, UUID, Motiu, Silenci,
          Entrada, ProperContacte, Bateria, x, y, Ordre
        FROM capture WHERE OBJECTID > ? ORDER BY OBJECTID LIMIT ?
        """, isKept: true)
      try rows.bind(object, at: 1)
      try rows.bind(Int64(count), at: 2)
      var captures: [TakenCapture] = []
      while try rows.step() {
        var capture = TakenCapture(rows)
        if !rows.isNull(12) { capture.sequence = UInt32(exactly: rows.integer(12)) }
        captures.append(capture)
      }
      return captures
    }
  }
}

extension TakenCapture {
  init(_ row: borrowing SQLiteStatement) {
    objectID = row.integer(0)
    if !row.isNull(1) { arrived = UTC(milliseconds: row.integer(1)) }
    if !row.isNull(2) { device = row.text(2) }
    if !row.isNull(3) { team = row.text(3) }
    if !row.isNull(4) { id = UniqueID(text: row.text(4)) }
    if !row.isNull(5) { trigger = row.text(5) }
    if !row.isNull(6) { silence = row.text(6) }
    if !row.isNull(7) { moment = row.integer(7) }
    if !row.isNull(8) { promise = UTC(milliseconds: row.integer(8)) }
    if !row.isNull(9) { batteryPercent = row.double(9) }
    if !row.isNull(10), !row.isNull(11) {
      position = Place(x: row.double(10), y: row.double(11)).coordinate
    }
  }
}

extension FeatureServer {
  /// The captures after an object, in the order in which they were stored.
  public func captures(after object: Int64, atMost count: Int) throws -> [TakenCapture] {
    try store.captures(after: object, atMost: count)
  }
}
