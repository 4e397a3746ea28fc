/// Carries out `addFeatures` and `applyEdits`.
struct EditService: Sendable {
  var store: FeatureStore
  var layer: Layer

  /// Stores a request's features, and returns the answer when they are on the disk.
  ///
  /// - Parameter chooseRefused: picks the item to refuse on purpose from so many, if any.
  func add(_ request: HTTPRequest, chooseRefused: (Int) -> Int?) throws -> JSON {
    guard let bytes = request.parameters.bytes("features"), !bytes.isEmpty else {
      throw ArcGISError.invalid("features", "It is missing.")
    }
    let features = try IncomingFeature.list(bytes, parameter: "features")
    let results = try store(
      features, request, keepsGlobalIDs: false, alsoFails: false, chooseRefused)
    return ["addResults": .list(results.map(\.body))]
  }

  func apply(_ request: HTTPRequest, chooseRefused: (Int) -> Int?) throws -> JSON {
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
      alsoFails: updates + deletes > 0, chooseRefused)
    func refused(_ error: ItemError, _ count: Int) -> JSON {
      .list(Array(repeating: ItemResult(outcome: .refused(error)).body, count: count))
    }
    return [
      "addResults": .list(results.map(\.body)), "updateResults": refused(.update, updates),
      "deleteResults": refused(.delete, deletes),
    ]
  }

  private func store(
    _ features: [IncomingFeature], _ request: HTTPRequest, keepsGlobalIDs: Bool,
    alsoFails: Bool, _ chooseRefused: (Int) -> Int?
  ) throws -> [ItemResult] {
    let isAllOrNothing = try request.flag("rollbackOnFailure", default: true)
    var checked: [Result<NewFeature, ItemError>] = features.map { feature in
      Result { () throws(ItemError) in
        try NewFeature(feature, for: layer, keepsGlobalID: keepsGlobalIDs)
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

  /// How many updates or deletes there are: a list of features, or of numbers with commas.
  private func count(_ request: HTTPRequest, _ name: String) throws -> Int {
    guard let bytes = request.parameters.bytes(name), !bytes.isEmpty else { return 0 }
    if bytes.first == UInt8(ascii: "[") {
      return (try? IncomingFeature.list(bytes, parameter: name).count) ?? 1
    }
    return bytes.split(separator: UInt8(ascii: ",")).prefix(Bounds.featuresInEdit).count
  }
}
