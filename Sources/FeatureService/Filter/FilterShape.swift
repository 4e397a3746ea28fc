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
