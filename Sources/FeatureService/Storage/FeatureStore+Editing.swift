import SQLite

extension FeatureStore {
  /// Carries out an edit in one transaction, and returns when it is on disk.
  func perform(_ edit: Edit) throws -> EditResults {
    let results = try withEngine { engine in
      try engine.database.decidingTransaction { () throws(SQLiteError) in
        var results = EditResults()
        results.adds.reserveCapacity(edit.adds.count)
        for feature in edit.adds { results.adds.append(try Self.add(feature, engine)) }
        for feature in edit.updates { results.updates.append(try Self.update(feature, engine)) }
        for key in edit.deletes { results.deletes.append(try Self.delete(key, engine)) }
        return edit.isAllOrNothing && !results.areDone
          ? .rollback(results.undone) : .commit(results)
      }
    }
    if let stored {
      let captures = zip(edit.adds, results.adds).compactMap { TakenCapture($0, $1) }
      if !captures.isEmpty { stored(captures) }
    }
    return results
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

  // MARK: Existing features

  private static func update(
    _ feature: Result<ChangedFeature, ItemError>, _ engine: borrowing Engine
  ) throws(SQLiteError) -> ItemResult {
    let changed: ChangedFeature
    switch feature {
    case .failure(let problem): return ItemResult(outcome: .refused(problem))
    case .success(let feature): changed = feature
    }
    guard let found = try find(changed.key, engine) else {
      return ItemResult(outcome: .refused(.missing("there is no such feature")))
    }
    var columns = changed.values.map { "\"\($0.name)\" = ?" }
    var values = changed.values.map(\.value)
    if let place = changed.place {
      columns += ["x = ?", "y = ?"]
      values += [.number(place.x), .number(place.y)]
    }
    if columns.isEmpty { return found.result }
    let statement = try engine.database.prepare(
      "UPDATE capture SET \(columns.joined(separator: ", ")) WHERE OBJECTID = ?")
    for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
    try statement.bind(found.number, at: Int32(values.count) + 1)
    try statement.run()
    return found.result
  }

  private static func delete(
    _ key: Result<ObjectKey, ItemError>, _ engine: borrowing Engine
  ) throws(SQLiteError) -> ItemResult {
    let found: Found
    switch key {
    case .failure(let problem): return ItemResult(outcome: .refused(problem))
    case .success(let key):
      guard let object = try find(key, engine) else {
        return ItemResult(outcome: .refused(.missing("there is no such feature")))
      }
      found = object
    }
    let statement = try engine.database.prepare(
      "DELETE FROM capture WHERE OBJECTID = ?", isKept: true)
    try statement.bind(found.number, at: 1)
    try statement.run()
    return found.result
  }

  private struct Found {
    var number: Int64
    var globalID: String

    var result: ItemResult {
      ItemResult(outcome: .done(objectID: number), globalID: globalID)
    }
  }

  private static func find(
    _ key: ObjectKey, _ engine: borrowing Engine
  ) throws(SQLiteError) -> Found? {
    let column =
      switch key {
      case .number: "OBJECTID"
      case .globalID: "GlobalID"
      }
    let statement = try engine.database.prepare(
      "SELECT OBJECTID, GlobalID FROM capture WHERE \(column) = ?", isKept: true)
    switch key {
    case .number(let number): try statement.bind(number, at: 1)
    case .globalID(let text): try statement.bind(text, at: 1)
    }
    guard try statement.step() else { return nil }
    return Found(number: statement.integer(0), globalID: statement.text(1))
  }
}
