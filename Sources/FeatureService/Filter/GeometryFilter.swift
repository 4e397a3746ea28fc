/// The part of a query that says where: a rectangle for the database and, unless that is all, a
/// shape that features in the rectangle are compared with.
struct GeometryFilter: Sendable {
  var box: MapBox
  var shape: FilterShape?

  /// - Returns: `nil` if the client asks for the whole map.
  /// - Throws: `ArcGISError` with code 400.
  init?(_ request: ServiceRequest, _ systems: (any CoordinateSystems)?) throws(ArcGISError) {
    guard let text = request.text("geometry") else { return nil }
    let relation = try Self.relation(request)
    let incoming = try IncomingShape(text, type: request.text("geometryType"))
    let projection = try Self.projection(of: incoming, request, systems)
    let reach = try Self.reach(request, projection)
    let isRectangle = projection.isAligned && reach == 0 && relation != .containsAll
    if let (low, high) = incoming.envelope, isRectangle {
      guard let box = MapBox(low: low, high: high, in: projection) else {
        throw .invalid("geometry", "Its xmin and ymin must be less than its xmax and ymax.")
      }
      self.box = box
      return
    }
    let (kind, parts) = try Self.parts(of: incoming, projection)
    guard let box = MapBox(around: Array(parts.joined())) else {
      throw .invalid("geometry", "It has no positions.")
    }
    self.box = box.widened(by: max(reach, FilterShape.tolerance))
    if relation == .box { return }
    var shape = FilterShape(kind, parts, box: box, reach: reach)
    shape.containsAll = relation == .containsAll
    self.shape = shape
  }

  // MARK: Parameters

  private enum Relation { case intersects, box, containsAll }

  private static func relation(_ request: ServiceRequest) throws(ArcGISError) -> Relation {
    switch request.text("spatialRel")?.lowercased() {
    case nil, "esrispatialrelintersects": return .intersects
    case "esrispatialrelenvelopeintersects", "esrispatialrelindexintersects": return .box
    case "esrispatialrelcontains": return .containsAll
    default:
      throw .invalid(
        "spatialRel",
        "esriSpatialRelIntersects, EnvelopeIntersects, IndexIntersects and Contains are supported."
      )
    }
  }

  /// The geometry's own system counts before that of the request.
  private static func projection(
    of incoming: IncomingShape, _ request: ServiceRequest, _ systems: (any CoordinateSystems)?
  ) throws(ArcGISError) -> Projection {
    guard let reference = incoming.spatialReference, reference.isGiven else {
      return try QueryRequest.projection(request, "inSR", systems) ?? .webMercator
    }
    guard let projection = reference.projection(systems) else {
      throw .invalid("geometry", "Its spatialReference (\(reference.summary)) is not known here.")
    }
    return projection
  }

  private static let units = [
    "esrisrunit_meter": 1, "esrisrunit_kilometer": 1000, "esrisrunit_foot": 0.3048,
    "esrisrunit_statutemile": 1609.344, "esrisrunit_nauticalmile": 1852,
    "esrisrunit_usnauticalmile": 1853.248,
  ]

  /// The parameters `distance` and `units`, in metres.
  private static func reach(
    _ request: ServiceRequest, _ projection: Projection
  ) throws(ArcGISError) -> Double {
    guard let text = request.text("distance") else { return 0 }
    guard let distance = Double(text.trimmed), distance >= 0 else {
      throw .invalid("distance", "It is not a number of at least 0.")
    }
    var metres = projection.metres
    if let unit = request.text("units") {
      metres = units[unit.lowercased()]
      guard metres != nil else {
        throw .invalid(
          "units", "esriSRUnit_Meter, -Kilometer, -Foot, -StatuteMile and -NauticalMile.")
      }
    }
    guard distance > 0 else { return 0 }
    guard let metres else {
      throw .invalid("units", "A distance from a geometry in degrees needs a unit.")
    }
    guard distance * metres <= Bounds.filterMetres else {
      throw .invalid("distance", "It is more than \(Int(Bounds.filterMetres)) metres.")
    }
    return distance * metres
  }

  // MARK: Geometry

  private static func parts(
    of incoming: IncomingShape, _ projection: Projection
  ) throws(ArcGISError) -> (FilterShape.Kind, [[Place]]) {
    let kind: FilterShape.Kind =
      incoming.envelope != nil || incoming.rings != nil
      ? .area : incoming.paths != nil ? .lines : .points
    var parts = incoming.parts
    if let (low, high) = incoming.envelope {
      parts = [MapBox.outline(low, high).map { [$0.x, $0.y] }]
    }
    guard parts.reduce(0, { $0 + $1.count }) <= Bounds.filterPositions else {
      throw .invalid("geometry", "It has more than \(Bounds.filterPositions) positions.")
    }
    var result: [[Place]] = []
    for part in parts where !part.isEmpty {
      var places: [Place] = []
      for position in part {
        guard position.count > 1, let place = projection.place(x: position[0], y: position[1])
        else { throw .invalid("geometry", "It has a position that is not on the map.") }
        places.append(place)
      }
      result.append(places)
    }
    return (kind, result)
  }
}
