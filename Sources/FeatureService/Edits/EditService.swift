import TrackerCore

/// Implements `addFeatures`, `updateFeatures`, `deleteFeatures` and `applyEdits`.
struct EditService {
  var store: FeatureStore
  var layer: Layer
  /// What the host knows beyond degrees and Web Mercator.
  var systems: (any CoordinateSystems)?
  /// For the GlobalIDs that the server assigns.
  var random: RandomSource
  /// Whether the client is the layer's owner, who alone may change and delete features.
  var isOwner: Bool
  /// The date, for clients that ask when an edit was made.
  var now: UTC
  /// The `UUID`s of captures that are refused, in lower case.
  var refused: Set<String>
  /// Chooses the feature to refuse on purpose, given their number, if any.
  var chooseRefused: (Int) -> Int?

  /// Carries out a request, and returns the answer when everything is on disk.
  func perform(_ request: ServiceRequest) throws -> JSON {
    try refuseUnknown(request)
    var edit = Edit()
    edit.isAllOrNothing =
      try request.flag("rollbackOnFailure", default: true) || !layer.keepsPartOfEdit
    switch request.operation {
    case _ where layer.isMailbox: try readConfirmations(request, into: &edit)
    case _ where layer.isNotes:
      edit.notes = try features(request, "features").map { feature in
        Result { () throws(ItemError) -> StoredNote in try StoredNote(feature) }
      }
    case _ where layer.isHistory:
      edit.history = try features(request, "features").map { feature in
        Result { () throws(ItemError) -> StoredHistory in try StoredHistory(feature) }
      }
    case "addFeatures":
      try readAdds(request, "features", keepsGlobalIDs: false, into: &edit)
    case "updateFeatures":
      edit.updates = try updates(request, "features", byGlobalID: false)
    case "deleteFeatures":
      edit.deletes = try found(request).map { .success(.number($0)) }
    default: try readAll(request, into: &edit)
    }
    var results = try store.perform(edit, at: now)
    if layer.globalIDField == nil { results.removeGlobalIDs() }
    return try answer(request, results)
  }

  /// `applyEdits`.
  private func readAll(_ request: ServiceRequest, into edit: inout Edit) throws {
    let byGlobalID =
      try request.flag("useGlobalIds", default: false) && layer.globalIDField != nil
    if isGiven("adds", request) {
      try readAdds(request, "adds", keepsGlobalIDs: byGlobalID, into: &edit)
    }
    if isGiven("updates", request) {
      edit.updates = try updates(request, "updates", byGlobalID: byGlobalID)
    }
    if isGiven("deletes", request) {
      let keys = try ObjectKey.list(request.text("deletes") ?? "", byGlobalID: byGlobalID)
      edit.deletes = keys.map { isOwner ? .success($0) : .failure(.delete) }
    }
    guard ["adds", "updates", "deletes"].contains(where: { isGiven($0, request) }) else {
      throw ArcGISError.invalid("adds", "There is nothing to do: no adds, updates or deletes.")
    }
  }

  /// Of the table of messages.
  private func readConfirmations(_ request: ServiceRequest, into edit: inout Edit) throws {
    let name = request.operation == "updateFeatures" ? "features" : "updates"
    edit.adds =
      isGiven("adds", request)
      ? try features(request, "adds").map { _ in .failure(.onlyTheRoom) } : []
    if isGiven("deletes", request) {
      let keys = try ObjectKey.list(request.text("deletes") ?? "", byGlobalID: false)
      edit.deletes = keys.map { _ in .failure(.onlyTheRoom) }
    }
    edit.confirmations = []
    if edit.adds.isEmpty && edit.deletes.isEmpty || isGiven(name, request) {
      edit.confirmations = try features(request, name).map { feature in
        Result { () throws(ItemError) -> Confirmation in try Confirmation(feature) }
      }
    }
  }

  private func isGiven(_ name: String, _ request: ServiceRequest) -> Bool {
    !(request.parameters.bytes(name) ?? []).isEmpty
  }

  /// Refuses what would have another result than the client expects.
  private func refuseUnknown(_ request: ServiceRequest) throws(ArcGISError) {
    if try request.flag("async", default: false) {
      throw .invalid("async", "It is not supported here.")
    }
    for name in ["attachments", "editsUploadId", "datumTransformation"]
    where request.text(name).map({ !["{}", "[]", "null"].contains($0) }) ?? false {
      throw .invalid(name, "It is not supported here.")
    }
  }

  // MARK: The features of a request

  private func readAdds(
    _ request: ServiceRequest, _ name: String, keepsGlobalIDs: Bool, into edit: inout Edit
  ) throws {
    let features = try features(request, name)
    edit.adds = features.map { feature in
      Result { () throws(ItemError) -> NewFeature in
        if feature.isCapture(in: refused) { throw .outOfRange }
        return try NewFeature(
          feature, for: layer, systems, keepsGlobalID: keepsGlobalIDs, random)
      }
    }
    if let index = chooseRefused(edit.adds.count) { edit.adds[index] = .failure(.refused) }
    edit.refusals = zip(features, edit.adds).compactMap { feature, result in
      guard case .failure(let problem) = result else { return nil }
      return RefusedCapture(feature, problem, for: layer, systems)
    }
  }

  private func updates(
    _ request: ServiceRequest, _ name: String, byGlobalID: Bool
  ) throws -> [Result<ChangedFeature, ItemError>] {
    try features(request, name).map { feature in
      Result { () throws(ItemError) -> ChangedFeature in
        guard isOwner else { throw .update }
        return try ChangedFeature(feature, for: layer, systems, byGlobalID: byGlobalID)
      }
    }
  }

  private func features(
    _ request: ServiceRequest, _ name: String
  ) throws(ArcGISError) -> [IncomingFeature] {
    guard let bytes = request.parameters.bytes(name), !bytes.isEmpty else {
      throw .invalid(name, "It is missing.")
    }
    return try IncomingFeature.list(bytes, parameter: name)
  }

  /// The objects that a `deleteFeatures` is about: by number, clause, time and geometry.
  private func found(_ request: ServiceRequest) throws -> [Int64] {
    let query = try QueryRequest(
      request, layer: layer, maximumRecords: Bounds.featuresInEdit, systems: systems)
    let numbers = try store.objectIDs(store.resolvingShape(query, layer), layer)
    guard numbers.count <= Bounds.featuresInEdit else {
      throw ArcGISError.invalid("where", "More than \(Bounds.featuresInEdit) features at a time.")
    }
    return numbers
  }

  // MARK: The answer

  private func answer(_ request: ServiceRequest, _ results: EditResults) throws -> JSON {
    var members: [(String, JSON)] = []
    switch request.operation {
    case "addFeatures": members = [("addResults", .results(results.adds))]
    case "updateFeatures": members = [("updateResults", .results(results.updates))]
    case "deleteFeatures":
      if try request.flag("returnDeleteResults", default: true) {
        members = [("deleteResults", .results(results.deletes))]
      } else {
        members = [("success", .boolean(results.deletes.allSatisfy(\.isDone)))]
      }
    default:
      members = [
        ("addResults", .results(results.adds)), ("updateResults", .results(results.updates)),
        ("deleteResults", .results(results.deletes)),
      ]
    }
    if try request.flag("returnEditMoment", default: false) {
      members.append(("editMoment", .integer(now.milliseconds)))
    }
    return .object(members)
  }
}

extension JSON {
  fileprivate static func results(_ results: [ItemResult]) -> JSON { .list(results.map(\.body)) }
}
