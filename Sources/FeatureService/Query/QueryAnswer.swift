import JSONReading
import SQL

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
    if let grouping = query.grouping { return try groups(grouping, store) }
    let text = FeatureText(
      fields: query.fields, geometry: layer.geometry,
      projection: query.returnsGeometry ? projection : nil, isGeoJSON: isGeoJSON,
      decimals: query.decimals)
    var list: [UInt8] = [UInt8(ascii: "[")]
    let hasMore = try store.features(query, layer, into: &list) { text.append($0, to: &$1) }
    list.append(UInt8(ascii: "]"))
    if hasMore, !query.returnsExceeded { list = Array("[]".utf8) }
    return isGeoJSON ? try collection(list, hasMore: hasMore) : featureSet(list, hasMore: hasMore)
  }

  private func featureSet(_ list: [UInt8], hasMore: Bool) -> JSON {
    var members: [(String, JSON)] = [
      ("objectIdFieldName", .text(layer.objectIDField)),
      ("globalIdFieldName", .text(layer.globalIDField ?? "")),
    ]
    if query.returnsGeometry, let geometry = layer.geometry {
      members += [
        ("geometryType", .text(geometry.rawValue)),
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

  /// The rows of a grouping, which are features without geometry.
  private func groups(_ grouping: Grouping, _ store: FeatureStore) throws -> JSON {
    let text = GroupText(grouping: grouping, isGeoJSON: isGeoJSON)
    var list: [UInt8] = [UInt8(ascii: "[")]
    let hasMore = try store.groups(query, grouping, layer, into: &list) { text.append($0, to: &$1) }
    list.append(UInt8(ascii: "]"))
    if isGeoJSON { return try collection(list, hasMore: hasMore) }
    var members: [(String, JSON)] = [
      ("fields", .list(grouping.columns.map { $0.description(isEditableLayer: false) }))
    ]
    if hasMore { members.append(("exceededTransferLimit", true)) }
    members.append(("features", .ready(list)))
    return .object(members)
  }

  private func collection(_ list: [UInt8], hasMore: Bool) throws(ArcGISError) -> JSON {
    var members: [(String, JSON)] = [("type", "FeatureCollection")]
    // RFC 7946 only has degrees; ArcGIS names any other system.
    if projection != .degrees, query.grouping == nil {
      guard let name = projection.geoJSONName else {
        throw .invalid("outSR", "GeoJSON cannot name a system without a number; use f=json.")
      }
      members.append(("crs", ["type": "name", "properties": ["name": .text(name)]]))
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
      members.append(("extent", MapBox.description(extent, projection)))
    }
    if withCount { members.append(("count", .integer(try store.count(query, layer)))) }
    return .object(members)
  }
}

extension MapBox {
  /// The corners in another system: of the whole outline, which is bent there.
  func corners(_ projection: Projection) -> [JSON] {
    let outline = projection.isAligned ? [low, high] : Self.outline(low, high)
    let places = outline.map { projection.project($0) }.filter { $0.x.isFinite && $0.y.isFinite }
    guard let box = MapBox(around: places.map { Place(x: $0.x, y: $0.y) }) else {
      return Array(repeating: "NaN", count: 4)
    }
    return [box.low.x, box.low.y, box.high.x, box.high.y].map { .number($0) }
  }

  /// In Esri's form; without features the corners are the text NaN.
  static func description(_ extent: MapBox?, _ projection: Projection) -> JSON {
    let corners = extent?.corners(projection) ?? Array(repeating: "NaN", count: 4)
    return [
      "xmin": corners[0], "ymin": corners[1], "xmax": corners[2], "ymax": corners[3],
      "spatialReference": projection.spatialReference,
    ]
  }
}

/// Writes features in Esri's JSON or in GeoJSON.
struct FeatureText: Sendable {
  var fields: [Field]
  var geometry: Layer.Geometry?
  /// `nil` leaves the geometry out.
  var projection: Projection?
  var isGeoJSON: Bool
  /// Digits after the point of a coordinate; `nil`: all that there are.
  var decimals: Int?

  /// Appends the feature of a row: its fields, its number, its geometry.
  func append(_ row: any SQLStatement, to bytes: inout [UInt8]) {
    if isGeoJSON {
      bytes.append(contentsOf: "{\"type\":\"Feature\",\"id\":".utf8)
      bytes.append(contentsOf: String(row.integer(Int32(fields.count))).utf8)
      bytes.append(contentsOf: ",\"geometry\":".utf8)
      if !appendGeometry(row, to: &bytes) { bytes.append(contentsOf: "null".utf8) }
      bytes.append(contentsOf: ",\"properties\":{".utf8)
      appendAttributes(row, to: &bytes)
      bytes.append(contentsOf: "}}".utf8)
      return
    }
    bytes.append(contentsOf: "{\"attributes\":{".utf8)
    appendAttributes(row, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    let mark = bytes.count
    bytes.append(contentsOf: ",\"geometry\":".utf8)
    if !appendGeometry(row, to: &bytes) { bytes.removeLast(bytes.count - mark) }
    bytes.append(UInt8(ascii: "}"))
  }

  private func appendAttributes(_ row: any SQLStatement, to bytes: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(field.name)
      bytes.append(UInt8(ascii: ":"))
      bytes.appendValue(of: field.kind, row, Int32(index))
    }
  }

  /// - Returns: `false`, with nothing appended, if there is none.
  private func appendGeometry(
    _ row: any SQLStatement, to bytes: inout [UInt8]
  ) -> Bool {
    let column = Int32(fields.count) + 1
    guard let projection, let geometry, !row.isNull(column) else { return false }
    switch geometry {
    case .point:
      let place = Place(x: row.double(column), y: row.double(column + 1))
      // A system may have no coordinates for it.
      guard projection.project(place).x.isFinite else { return false }
      if isGeoJSON {
        bytes.append(contentsOf: "{\"type\":\"Point\",\"coordinates\":".utf8)
        append(place, projection, to: &bytes)
      } else {
        let (x, y) = coordinates(place, projection)
        bytes.append(contentsOf: "{\"x\":".utf8)
        bytes.appendJSON(x)
        bytes.append(contentsOf: ",\"y\":".utf8)
        bytes.appendJSON(y)
      }
    case .line:
      let start = isGeoJSON ? "{\"type\":\"LineString\",\"coordinates\":[" : "{\"paths\":[["
      bytes.append(contentsOf: start.utf8)
      for (index, place) in LinePath.places(row.text(column)).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(place, projection, to: &bytes)
      }
      bytes.append(contentsOf: (isGeoJSON ? "]" : "]]").utf8)
    }
    bytes.append(UInt8(ascii: "}"))
    return true
  }

  private func coordinates(_ place: Place, _ projection: Projection) -> (x: Double, y: Double) {
    let (x, y) = projection.project(place)
    guard let decimals else { return (x, y) }
    let scale = powerOfTen(decimals)
    return ((x * scale).rounded() / scale, (y * scale).rounded() / scale)
  }

  private func append(_ place: Place, _ projection: Projection, to bytes: inout [UInt8]) {
    let (x, y) = coordinates(place, projection)
    bytes.append(UInt8(ascii: "["))
    bytes.appendJSON(x)
    bytes.append(UInt8(ascii: ","))
    bytes.appendJSON(y)
    bytes.append(UInt8(ascii: "]"))
  }
}

extension [UInt8] {
  /// Appends the value of a row's column.
  mutating func appendValue(
    of kind: Field.Kind, _ row: any SQLStatement, _ column: Int32
  ) {
    if row.isNull(column) { return append(contentsOf: "null".utf8) }
    switch kind {
    case .objectID, .integer, .date: append(contentsOf: String(row.integer(column)).utf8)
    case .number: appendShort(row.double(column))
    case .text, .globalID: appendJSON(row.text(column))
    }
  }

  /// Appends a number, a whole one without its `.0`.
  fileprivate mutating func appendShort(_ number: Double) {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
      append(contentsOf: String(whole).utf8)
    } else {
      appendJSON(number)
    }
  }
}

/// A line as stored: `x,y x,y …` in metres.
enum LinePath {
  static func text(_ places: [Place]) -> String {
    places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
  }

  static func places(_ text: String) -> [Place] {
    text.split(separator: " ").compactMap { pair in
      let numbers = pair.split(separator: ",").compactMap { Double($0) }
      return numbers.count == 2 ? Place(x: numbers[0], y: numbers[1]) : nil
    }
  }
}
