import SQLite

/// The result for one feature of an edit.
struct ItemResult: Sendable, Equatable {
  enum Outcome: Sendable, Equatable {
    case done(objectID: Int64)
    case refused(ItemError)
  }
  var outcome: Outcome
  var globalID: String?

  var isDone: Bool {
    if case .done = outcome { true } else { false }
  }

  var body: JSON {
    var members: [(String, JSON)] = []
    switch outcome {
    case .done(let objectID):
      members.append(("objectId", .integer(objectID)))
      if let globalID { members.append(("globalId", .text(globalID))) }
      members.append(("success", true))
    case .refused(let error):
      members.append(("objectId", -1))
      if let globalID { members.append(("globalId", .text(globalID))) }
      members.append(("success", false))
      members.append(
        (
          "error",
          ["code": .integer(Int64(error.code)), "description": .text(error.description)]
        ))
    }
    return .object(members)
  }
}

extension FeatureStore {
  /// Stores features in one transaction, and returns when they are on disk.
  ///
  /// - Parameters:
  ///   - features: the valid ones, and what is wrong with the others.
  ///   - isAllOrNothing: whether one refused feature rolls back the others.
  func add(
    _ features: [Result<NewFeature, ItemError>], isAllOrNothing: Bool
  ) throws -> [ItemResult] {
    try withEngine { engine in
      try engine.database.decidingTransaction { () throws(SQLiteError) in
        var results: [ItemResult] = []
        results.reserveCapacity(features.count)
        for feature in features { results.append(try Self.add(feature, engine)) }
        let isUndone = isAllOrNothing && results.contains { !$0.isDone }
        return isUndone ? .rollback(results.map(\.undone)) : .commit(results)
      }
    }
  }

  private static func add(
    _ feature: Result<NewFeature, ItemError>, _ engine: borrowing Engine
  ) throws(SQLiteError) -> ItemResult {
    let new: NewFeature
    switch feature {
    case .failure(let problem): return ItemResult(outcome: .refused(problem))
    case .success(let feature): new = feature
    }
    var place: Int32 = 1
    for value in new.values {
      try engine.insert.bind(value, at: place)
      place += 1
    }
    try engine.insert.bind(new.globalID, at: place)
    try engine.insert.bind(new.place?.x, at: place + 1)
    try engine.insert.bind(new.place?.y, at: place + 2)
    do {
      try engine.insert.run()
      let objectID = engine.database.lastInsertedRow
      return ItemResult(outcome: .done(objectID: objectID), globalID: new.globalID)
    } catch {
      guard error.kind == .constraint else { throw error }
      return ItemResult(outcome: .refused(.notUnique), globalID: new.globalID)
    }
  }
}

extension ItemResult {
  /// The result after a rollback because of others.
  fileprivate var undone: ItemResult {
    isDone ? ItemResult(outcome: .refused(.rolledBack), globalID: globalID) : self
  }
}
