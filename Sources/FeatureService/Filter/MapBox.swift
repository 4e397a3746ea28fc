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
    }
  }
}
