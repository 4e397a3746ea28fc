import JSONReading

/// The validated features of an edit, and what is wrong with the others.
struct Edit: Sendable {
  var adds: [Result<NewFeature, ItemError>] = []
  /// Of `adds`, what is wrong with trackers' captures.
  var refusals: [RefusedCapture] = []
  var updates: [Result<ChangedFeature, ItemError>] = []
  /// Instead of all these, in the table of messages.
  var confirmations: [Result<Confirmation, ItemError>]?
  /// Instead of all these, in the table of notes.
  var notes: [Result<StoredNote, ItemError>]?
  /// Instead of all these, in the table of histories.
  var history: [Result<StoredHistory, ItemError>]?
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

/// What identifies an existing feature.
enum ObjectKey: Sendable, Equatable {
  case number(Int64)
  /// With braces, in upper case.
  case globalID(String)

  /// Reads the parameter `deletes`: `1,2`, `[1,2]`, or a list of GlobalIDs.
  static func list(_ text: String, byGlobalID: Bool) throws(ArcGISError) -> [ObjectKey] {
    let words: [String]
    if text.trimmed.hasPrefix("[") {
      guard case .list(let values)? = try? JSONValue(parsing: Array(text.utf8)) else {
        throw .invalid("deletes", "It is not a JSON list.")
      }
      words = values.map { value in
        switch IncomingFeature.Value(value) {
        case .text(let text): text
        case .integer(let number): String(number)
        default: ""
        }
      }
    } else {
      words = text.split(separator: ",").map(\.trimmed)
    }
    guard words.count <= Bounds.featuresInEdit else {
      throw .invalid("deletes", "More than \(Bounds.featuresInEdit) features at a time.")
    }
    var keys: [ObjectKey] = []
    for word in words {
      let key =
        byGlobalID
        ? NewFeature.normalGlobalID(word).map { ObjectKey.globalID($0) }
        : Int64(word).map { .number($0) }
      guard let key else {
        let wanted = byGlobalID ? "a GlobalID" : "a whole number"
        throw .invalid("deletes", "'\(word.prefix(40))' is not \(wanted).")
      }
      keys.append(key)
    }
    return keys
  }
}

/// A validated change of an existing feature.
struct ChangedFeature: Sendable {
  var key: ObjectKey
  /// The fields that change, and their new values.
  var values: [(name: String, value: StoredValue)] = []
  /// `nil` leaves it where it is.
  var place: Place?

  init(key: ObjectKey) { self.key = key }

  /// - Parameter byGlobalID: whether the feature is named by its GlobalID instead of its number.
  init(
    _ feature: IncomingFeature, for layer: Layer, _ systems: (any CoordinateSystems)?,
    byGlobalID: Bool
  ) throws(ItemError) {
    guard let byName = feature.byName else { throw .attributes }
    if byGlobalID {
      guard case .text(let text)? = byName[layer.globalIDField?.lowercased() ?? ""],
        let globalID = NewFeature.normalGlobalID(text)
      else {
        throw .globalID("it is missing or no UUID, and useGlobalIds is true", isMissing: true)
      }
      key = .globalID(globalID)
    } else {
      guard case .integer(let number)? = byName[layer.objectIDField.lowercased()] else {
        throw .missing("it has no \(layer.objectIDField)")
      }
      key = .number(number)
    }
    for field in layer.fields where field.isEditable {
      guard let value = byName[field.name.lowercased()] else { continue }
      values.append((field.name, try field.stored(value)))
    }
    place = try NewFeature.place(feature.geometry, systems)
  }
}
