import JSONReading

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

/// A shape on the map that features are compared with, one by one.
struct FilterShape: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case points, lines
    /// A position in an odd number of rings is inside.
    case area
  }

  var kind: Kind
  var parts: [[Place]]
  /// How far away a feature may be, in metres on the ground.
  var reach: Double
  /// Whether the whole feature must be within reach, not only some of it.
  var containsAll = false
  /// The same on the map, at most: what is farther away needs no closer look.
  private let mapReach: Double

  /// ArcGIS takes positions for the same up to a millimetre.
  static let tolerance = 0.001

  init(_ kind: Kind, _ parts: [[Place]], box: MapBox, reach: Double) {
    self.kind = kind
    // A ring that its writer left open ends where it began.
    self.parts = kind == .area ? parts.map { $0 + ($0.first.map { [$0] } ?? []) } : parts
    self.reach = max(reach, Self.tolerance)
    let wide = box.widened(by: self.reach)
    mapReach = self.reach * GroundDistance.scale(from: wide.low.y, to: wide.high.y)
  }

  /// The number of steps that comparing a feature of so many positions takes.
  func work(_ positions: Int) -> Int { positions * parts.reduce(0) { $0 + $1.count } }

  /// - Parameter path: a feature: one position, or a line's.
  func matches(_ path: [Place]) -> Bool {
    if containsAll { return path.allSatisfy(reaches) && !(kind == .area && leaves(path)) }
    if path.contains(where: reaches) { return true }
    guard path.count > 1 else { return false }
    if crosses(path) { return true }
    return parts.joined().contains { corner in
      zip(path, path.dropFirst()).contains { isNear(corner, $0, $1) }
    }
  }

  /// Whether a position is inside or within reach.
  private func reaches(_ place: Place) -> Bool {
    if kind == .area, isInside(place) { return true }
    return parts.contains { part in
      if kind == .points || part.count == 1 { return part.contains { isNear(place, $0, $0) } }
      return zip(part, part.dropFirst()).contains { isNear(place, $0, $1) }
    }
  }

  /// Counts the edges to the east of a position.
  private func isInside(_ place: Place) -> Bool {
    var isInside = false
    for part in parts {
      for (a, b) in zip(part, part.dropFirst()) where (a.y > place.y) != (b.y > place.y) {
        if place.x < (b.x - a.x) * (place.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
      }
    }
    return isInside
  }

  /// Whether a line whose positions are all within reach is not so between them.
  private func leaves(_ path: [Place]) -> Bool {
    zip(path, path.dropFirst()).contains { a, b in
      guard crosses([a, b]) else { return false }
      // Between two crossings it is within reach, or not, as a whole.
      let places = ([0, 1] + crossings(a, b)).sorted()
      return zip(places, places.dropFirst()).contains { start, end in
        let middle = (start + end) / 2
        return !reaches(Place(x: a.x + (b.x - a.x) * middle, y: a.y + (b.y - a.y) * middle))
      }
    }
  }

  /// Where a segment meets the edges, as parts of its length.
  private func crossings(_ a: Place, _ b: Place) -> [Double] {
    parts.flatMap { part in
      zip(part, part.dropFirst()).compactMap { c, d in
        let turn = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
        guard turn != 0 else { return nil }
        let place = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / turn
        return (0...1).contains(place) ? place : nil
      }
    }
  }

  private func crosses(_ path: [Place]) -> Bool {
    if kind == .points { return false }
    return zip(path, path.dropFirst()).contains { a, b in
      parts.contains { part in
        zip(part, part.dropFirst()).contains { Self.cross(a, b, $0, $1) }
      }
    }
  }

  private static func cross(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> Bool {
    func side(_ p: Place, _ q: Place, _ r: Place) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }

  /// Whether a position is within reach of the stretch from `a` to `b`.
  private func isNear(_ place: Place, _ a: Place, _ b: Place) -> Bool {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let along = square == 0 ? 0 : ((place.x - a.x) * dx + (place.y - a.y) * dy) / square
    let part = min(max(along, 0), 1)
    // Angles are true on this map, so that what is nearest on it is nearest on the ground.
    let nearest = Place(x: a.x + part * dx, y: a.y + part * dy)
    guard abs(nearest.x - place.x) <= mapReach, abs(nearest.y - place.y) <= mapReach else {
      return false
    }
    return GroundDistance.metres(place, nearest) <= reach
  }
}

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

/// A rectangle on the map, in Web Mercator.
struct MapBox: Sendable, Equatable {
  var low: Place
  var high: Place

  init(low: Place, high: Place) { (self.low, self.high) = (low, high) }

  /// Around positions; `nil` around none.
  init?(around places: some Collection<Place>) {
    guard let first = places.first else { return nil }
    (low, high) = (first, first)
    for place in places {
      low = Place(x: min(low.x, place.x), y: min(low.y, place.y))
      high = Place(x: max(high.x, place.x), y: max(high.y, place.y))
    }
  }

  /// An envelope of a request. What lies beyond the edge of the map is cut off, since a viewer
  /// shows more than the whole map.
  ///
  /// - Returns: `nil` for corners that are not numbers, or in the wrong order.
  init?(low: Place, high: Place, in projection: Projection) {
    guard low.x <= high.x, low.y <= high.y else { return nil }
    func onMap(_ corner: Place) -> Place? {
      guard projection == .degrees else {
        let limit = Projection.limit
        return Place(x: min(max(corner.x, -limit), limit), y: min(max(corner.y, -limit), limit))
      }
      let edge = Projection.degrees.project(Place(x: 0, y: Projection.limit)).y
      return projection.place(
        x: min(max(corner.x, -180), 180), y: min(max(corner.y, -edge), edge))
    }
    guard let low = onMap(low), let high = onMap(high) else { return nil }
    (self.low, self.high) = (low, high)
  }

  /// Wider by a distance on the ground.
  ///
  /// - Parameter metres: up to `Bounds.filterMetres`.
  func widened(by metres: Double) -> MapBox {
    let first = 2 * metres * GroundDistance.scale(from: low.y, to: high.y)
    let far = metres * GroundDistance.scale(from: low.y - first, to: high.y + first)
    var wide = self
    wide.low = Place(x: low.x - far, y: low.y - far)
    wide.high = Place(x: high.x + far, y: high.y + far)
    return wide
  }

  /// The outline of a rectangle. A straight side in one system is bent in another, which many short
  /// stretches follow.
  static func outline(_ low: Place, _ high: Place) -> [Place] {
    let steps = 64
    let corners = [low, Place(x: high.x, y: low.y), high, Place(x: low.x, y: high.y)]
    return corners.indices.flatMap { index in
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      return (0..<steps).map { step in
        let part = Double(step) / Double(steps)
        return Place(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
      }
    }
  }

  /// The features that it touches.
  func condition(_ layer: Layer) -> WhereClause {
    let values = [low.x, high.x, low.y, high.y].map { StoredValue.number($0) }
    switch layer.geometry {
    case .point: return WhereClause(sql: "x BETWEEN ? AND ? AND y BETWEEN ? AND ?", values: values)
    case .line:
      return WhereClause(
        sql: "east >= ? AND west <= ? AND north >= ? AND south <= ?", values: values)
    case nil: return WhereClause(sql: "1 = 0", values: [])
    }
  }
}
