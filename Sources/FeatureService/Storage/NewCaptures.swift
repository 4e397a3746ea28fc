import SQL
import TrackerCore

/// The statements that add captures. They are long, so each is made once.
struct CaptureInsertion: Sendable {
  fileprivate struct Statement {
    let rows: Int
    let text: String
  }

  /// The one with most rows first: a contact's captures are a few, a race's that come back are
  /// thousands.
  private let statements: [Statement]

  /// - Parameter columns: of the values of a new capture.
  init(_ columns: [String]) {
    let names = columns + ["GlobalID", "x", "y", "arrived"]
    let row = "(" + names.map { _ in "?" }.joined(separator: ", ") + ")"
    statements = [50, 8, 1].map { count in
      Statement(
        rows: count,
        text: """
          INSERT INTO capture (\(names.joined(separator: ", ")))
          VALUES \(repeatElement(row, count: count).joined(separator: ", "))
          ON CONFLICT (GlobalID) DO NOTHING RETURNING OBJECTID, GlobalID,
            (SELECT count(*) FROM revision
             WHERE revision.UUID = lower(trim(capture.UUID, '{}')) AND gone = 1)
          """)
    }
  }

  /// The one that takes most of so many captures.
  fileprivate func statement(for count: Int) -> Statement {
    statements.first { $0.rows <= count } ?? statements[statements.count - 1]
  }
}

extension FeatureStore {
  /// Adds new captures; one whose GlobalID is there already is refused as such.
  static func add(
    _ features: [Result<NewFeature, ItemError>], _ insertion: CaptureInsertion,
    _ engine: borrowing Engine
  ) throws(SQLError) -> [ItemResult] {
    var results: [ItemResult] = []
    results.reserveCapacity(features.count)
    /// Those that have no number yet, and their places among the results.
    var waiting: [(place: Int, feature: NewFeature)] = []
    for feature in features {
      switch feature {
      case .failure(let problem): results.append(ItemResult(outcome: .refused(problem)))
      case .success(let new):
        waiting.append((results.count, new))
        results.append(ItemResult(outcome: .refused(.notUnique), globalID: new.globalID))
      }
    }
    var rest = waiting[...]
    var back: [Int64] = []
    while !rest.isEmpty {
      let statement = insertion.statement(for: rest.count)
      let next = rest.prefix(statement.rows)
      var numbers = try insert(next.map(\.feature), statement, engine)
      for (place, new) in next {
        // The second of two with the same stays refused.
        guard let added = numbers.removeValue(forKey: new.globalID) else { continue }
        results[place] = ItemResult(outcome: .done(objectID: added.number), globalID: new.globalID)
        if added.isBack { back.append(added.number) }
      }
      rest = rest.dropFirst(next.count)
    }
    try noteReturn(of: back, engine)
    return results
  }

  /// - Returns: the numbers of those that are new, by their GlobalIDs, and whether they were there
  ///   once and deleted.
  private static func insert(
    _ features: [NewFeature], _ statement: CaptureInsertion.Statement,
    _ engine: borrowing Engine
  ) throws(SQLError) -> [String: (number: Int64, isBack: Bool)] {
    let rows = try engine.database.prepare(statement.text, isKept: true)
    var place: Int32 = 1
    for new in features {
      for value in new.values {
        try rows.bind(value, at: place)
        place += 1
      }
      try rows.bind(new.globalID, at: place)
      try rows.bind(new.place?.x, at: place + 1)
      try rows.bind(new.place?.y, at: place + 2)
      try rows.bind(new.arrived?.milliseconds, at: place + 3)
      place += 4
    }
    var numbers: [String: (number: Int64, isBack: Bool)] = [:]
    while try rows.step() { numbers[rows.text(1)] = (rows.integer(0), rows.integer(2) > 0) }
    return numbers
  }
}

extension NewFeature {
  /// It arrived now at the latest.
  func arrived(by now: UTC) -> NewFeature {
    var copy = self
    copy.arrived = min(now, arrived ?? now)
    return copy
  }
}
