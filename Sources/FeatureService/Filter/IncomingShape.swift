import JSONReading

/// A geometry of a request, as Esri writes it; its members show what it is.
struct IncomingShape: Decodable {
  var x, y: Double?
  var points: [[Double]]?
  var paths, rings: [[[Double]]]?
  var xmin, ymin, xmax, ymax: Double?
  var spatialReference: SpatialReference?

  /// Reads an object, or the short forms `xmin,ymin,xmax,ymax` and `x,y`.
  ///
  /// - Parameter type: the parameter `geometryType`; `nil`: whatever it is.
  init(_ text: String, type: String?) throws(ArcGISError) {
    if text.contains("{") {
      guard let decoded = try? JSONDecoder().decode(Self.self, from: Array(text.utf8)) else {
        throw .invalid("geometry", "It is not a geometry of numbers in Esri's JSON.")
      }
      self = decoded
    } else {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Double($0.trimmed) }
      switch (numbers.count, parts.count) {
      case (4, 4): (xmin, ymin, xmax, ymax) = (numbers[0], numbers[1], numbers[2], numbers[3])
      case (2, 2): (x, y) = (numbers[0], numbers[1])
      default: throw .invalid("geometry", "Give xmin,ymin,xmax,ymax or x,y on the map.")
      }
    }
    guard let kind, type == nil || type?.lowercased() == kind.lowercased() else {
      throw .invalid("geometry", "It is not of the type \(type?.prefix(40) ?? "of any geometry").")
    }
  }

  private var kind: String? {
    if xmin != nil { return "esriGeometryEnvelope" }
    if rings != nil { return "esriGeometryPolygon" }
    if paths != nil { return "esriGeometryPolyline" }
    if points != nil { return "esriGeometryMultipoint" }
    return x == nil ? nil : "esriGeometryPoint"
  }

  /// The corners of an envelope.
  var envelope: (low: Place, high: Place)? {
    guard let xmin, let ymin, let xmax, let ymax else { return nil }
    return (Place(x: xmin, y: ymin), Place(x: xmax, y: ymax))
  }

  /// Its positions, in its own system, by parts.
  var parts: [[[Double]]] {
    if let x { return [[[x, y ?? .nan]]] }
    return rings ?? paths ?? points.map { [$0] } ?? []
  }
}
