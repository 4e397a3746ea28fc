/// The answers to a query, in Esri's JSON or in GeoJSON.
struct QueryAnswer: Sendable {
  var query: QueryRequest
  var layer: Layer
  var isGeoJSON: Bool

  /// The coordinate system of the answer.
  private var projection: Projection { query.projection ?? (isGeoJSON ? .degrees : .webMercator) }

  func body(from store: FeatureStore) throws -> JSON {
    switch query.wanted {
    case .features: try features(store)
    case .objectIDs: try objectIDs(store)
    case .count: ["count": .integer(try store.count(query, layer))]
    case .extent(let withCount): try extent(store, withCount: withCount)
    }
  }

  private func features(_ store: FeatureStore) throws -> JSON {
    let text = FeatureText(
      fields: query.fields, geometry: layer.geometry,
      projection: query.returnsGeometry ? projection : nil, isGeoJSON: isGeoJSON)
    var list: [UInt8] = [UInt8(ascii: "[")]
    let hasMore = try store.features(query, layer, into: &list) { text.append($0, to: &$1) }
    list.append(UInt8(ascii: "]"))
    return isGeoJSON ? collection(list, hasMore: hasMore) : featureSet(list, hasMore: hasMore)
  }

  private func featureSet(_ list: [UInt8], hasMore: Bool) -> JSON {
    var members: [(String, JSON)] = [
      ("objectIdFieldName", .text(layer.objectIDField)),
      ("globalIdFieldName", .text(layer.globalIDField ?? "")),
    ]
    if query.returnsGeometry {
      members += [
        ("geometryType", .text(layer.geometry.rawValue)),
        ("spatialReference", projection.spatialReference),
      ]
    }
    members.append(
      ("fields", .list(query.fields.map { $0.description(isEditableLayer: layer.isEditable) })))
    // Only if it is true: clients continue to ask as long as it is present.
    if hasMore { members.append(("exceededTransferLimit", true)) }
    members.append(("features", .ready(list)))
    return .object(members)
  }

  private func collection(_ list: [UInt8], hasMore: Bool) -> JSON {
    var members: [(String, JSON)] = [("type", "FeatureCollection")]
    // RFC 7946 only has degrees; ArcGIS names any other system.
    if projection != .degrees {
      members.append(("crs", ["type": "name", "properties": ["name": "EPSG:3857"]]))
    }
    if hasMore {
      // Older servers have it at the top level, newer ones in the properties.
      members.append(("exceededTransferLimit", true))
      members.append(("properties", ["exceededTransferLimit": true]))
    }
    members.append(("features", .ready(list)))
    return .object(members)
  }

  private func objectIDs(_ store: FeatureStore) throws -> JSON {
    let numbers = try store.objectIDs(query, layer).map { JSON.integer($0) }
    return ["objectIdFieldName": .text(layer.objectIDField), "objectIds": .list(numbers)]
  }

  private func extent(_ store: FeatureStore, withCount: Bool) throws -> JSON {
    let extent = try store.extent(query, layer)
    var members: [(String, JSON)] = []
    if isGeoJSON {
      members.append(("type", "FeatureCollection"))
      if let extent { members.append(("bbox", .list(extent.corners(projection)))) }
      members.append(("features", []))
    } else {
      members.append(("extent", Extent.description(extent, projection)))
    }
    if withCount { members.append(("count", .integer(try store.count(query, layer)))) }
    return .object(members)
  }
}

extension Extent {
  func corners(_ projection: Projection) -> [JSON] {
    let (low, high) = (projection.project(low), projection.project(high))
    return [low.x, low.y, high.x, high.y].map { .number($0) }
  }

  /// In Esri's form; without features the corners are the text NaN.
  static func description(_ extent: Extent?, _ projection: Projection) -> JSON {
    let corners = extent?.corners(projection) ?? Array(repeating: "NaN", count: 4)
    return [
      "xmin": corners[0], "ymin": corners[1], "xmax": corners[2], "ymax": corners[3],
      "spatialReference": projection.spatialReference,
    ]
  }
}
