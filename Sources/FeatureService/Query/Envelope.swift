import JSONReading

/// The condition for the part of the map that a client shows.
enum Envelope {
  /// - Returns: `nil` if the client asks for the whole map.
  static func condition(
    _ request: ServiceRequest, _ layer: Layer
  ) throws(ArcGISError) -> WhereClause? {
    guard let text = request.text("geometry") else { return nil }
    let type = request.text("geometryType") ?? "esriGeometryEnvelope"
    let relation = request.text("spatialRel") ?? "esriSpatialRelIntersects"
    guard type == "esriGeometryEnvelope",
      ["esriSpatialRelIntersects", "esriSpatialRelEnvelopeIntersects"].contains(relation)
    else { throw .invalid("geometry", "Only envelopes that intersect are supported.") }
    let projection = try QueryRequest.projection(request.text("inSR"), "inSR") ?? .webMercator
    guard let corners = corners(text), let low = projection.place(x: corners[0], y: corners[1]),
      let high = projection.place(x: corners[2], y: corners[3])
    else { throw .invalid("geometry", "Give xmin,ymin,xmax,ymax on the map.") }
    let values = [low.x, high.x, low.y, high.y].map { StoredValue.number($0) }
    switch layer.geometry {
    case .point: return WhereClause(sql: "x BETWEEN ? AND ? AND y BETWEEN ? AND ?", values: values)
    case .line:
      return WhereClause(
        sql: "east >= ? AND west <= ? AND north >= ? AND south <= ?", values: values)
    }
  }

  /// `xmin,ymin,xmax,ymax`, or Esri's object with these names.
  private static func corners(_ text: String) -> [Double]? {
    if !text.contains("{") {
      let numbers = text.split(separator: ",").compactMap { Double($0.trimmed) }
      return numbers.count == 4 ? numbers : nil
    }
    guard let corners = try? JSONDecoder().decode(Corners.self, from: Array(text.utf8)) else {
      return nil
    }
    return [corners.xmin, corners.ymin, corners.xmax, corners.ymax]
  }

  private struct Corners: Decodable {
    var xmin, ymin, xmax, ymax: Double
  }
}
