/// The validated features of an edit, and what is wrong with the others.
struct Edit: Sendable {
  var adds: [Result<NewFeature, ItemError>] = []
  var updates: [Result<ChangedFeature, ItemError>] = []
  var deletes: [Result<ObjectKey, ItemError>] = []
  /// Whether one refused feature rolls back the others.
  var isAllOrNothing = true
}

/// What became of each feature of an edit, in the same order.
struct EditResults: Sendable, Equatable {
  var adds: [ItemResult] = []
  var updates: [ItemResult] = []
  var deletes: [ItemResult] = []

  var areDone: Bool {
    adds.allSatisfy(\.isDone) && updates.allSatisfy(\.isDone) && deletes.allSatisfy(\.isDone)
  }

  /// The results after a rollback because of others.
  var undone: EditResults {
    EditResults(
      adds: adds.map(\.undone), updates: updates.map(\.undone), deletes: deletes.map(\.undone))
  }

  mutating func removeGlobalIDs() {
    for index in adds.indices { adds[index].globalID = nil }
    for index in updates.indices { updates[index].globalID = nil }
    for index in deletes.indices { deletes[index].globalID = nil }
  }
}

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

  fileprivate var undone: ItemResult {
    isDone ? ItemResult(outcome: .refused(.rolledBack), globalID: globalID) : self
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
