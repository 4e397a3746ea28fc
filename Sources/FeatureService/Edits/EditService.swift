/// Implements `addFeatures` and `applyEdits`.
struct EditService {
  var store: FeatureStore
  var layer: Layer
  /// For the GlobalIDs that the server assigns.
  var random: RandomSource
  /// The `UUID`s of captures that are refused, in lower case.
  var refused: Set<String>
  /// Chooses the feature to refuse on purpose, given their number, if any.
  var chooseRefused: (Int) -> Int?

  /// Stores the features of a request, and returns the answer when they are on disk.
  func add(_ request: ServiceRequest) throws -> JSON {
    guard let bytes = request.parameters.bytes("features"), !bytes.isEmpty else {
      throw ArcGISError.invalid("features", "It is missing.")
    }
    let features = try IncomingFeature.list(bytes, parameter: "features")
    let results = try store(
      features, request, keepsGlobalIDs: false, alsoFails: false)
    return ["addResults": .list(results.map(\.body))]
  }

  func apply(_ request: ServiceRequest) throws -> JSON {
    let bytes = request.parameters.bytes("adds") ?? []
    let updates = try count(request, "updates")
    let deletes = try count(request, "deletes")
    guard !bytes.isEmpty || updates + deletes > 0 else {
      throw ArcGISError.invalid("adds", "There is nothing to do: no adds, updates or deletes.")
    }
    let features = bytes.isEmpty ? [] : try IncomingFeature.list(bytes, parameter: "adds")
    let wantsGlobalIDs = try request.flag("useGlobalIds", default: false)
    let results = try store(
      features, request, keepsGlobalIDs: wantsGlobalIDs && layer.globalIDField != nil,
      alsoFails: updates + deletes > 0)
    func refused(_ error: ItemError, _ count: Int) -> JSON {
      .list(Array(repeating: ItemResult(outcome: .refused(error)).body, count: count))
    }
    return [
      "addResults": .list(results.map(\.body)), "updateResults": refused(.update, updates),
      "deleteResults": refused(.delete, deletes),
    ]
  }

  private func store(
    _ features: [IncomingFeature], _ request: ServiceRequest, keepsGlobalIDs: Bool,
    alsoFails: Bool
  ) throws -> [ItemResult] {
    let isAllOrNothing =
      try request.flag("rollbackOnFailure", default: true) || !layer.keepsPartOfEdit
    var checked: [Result<NewFeature, ItemError>] = features.map { feature in
      Result { () throws(ItemError) -> NewFeature in
        if feature.isCapture(in: refused) { throw .outOfRange }
        return try NewFeature(feature, for: layer, keepsGlobalID: keepsGlobalIDs, random)
      }
    }
    if let index = chooseRefused(checked.count) { checked[index] = .failure(.refused) }
    if alsoFails, isAllOrNothing {
      checked = checked.map { $0.flatMap { _ in .failure(.rolledBack) } }
    }
    var results = try store.add(checked, isAllOrNothing: isAllOrNothing)
    if layer.globalIDField == nil {
      for index in results.indices { results[index].globalID = nil }
    }
    return results
  }

  /// The number of updates or deletes: a list of features, or of numbers with commas.
  private func count(_ request: ServiceRequest, _ name: String) throws -> Int {
    guard let bytes = request.parameters.bytes(name), !bytes.isEmpty else { return 0 }
    if bytes.first == UInt8(ascii: "[") {
      return (try? IncomingFeature.list(bytes, parameter: name).count) ?? 1
    }
    return bytes.split(separator: UInt8(ascii: ",")).prefix(Bounds.featuresInEdit).count
  }
}
