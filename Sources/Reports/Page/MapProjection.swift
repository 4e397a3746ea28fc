import Courses
import MapTiles
import TrackerCore

/// Converts positions to places on a page's map, in Web Mercator, as tiles are.
struct MapProjection {
  static let width = 720.0
  static let margin = 36.0
  private static let heights = 220.0...560.0
  private static let worldMetres = 2 * Double.pi * WebMercator.radiusMetres

  private(set) var height = 0.0
  /// On the ground, in the middle of the map.
  let metresPerUnit: Double
  private let origin: WebMercator
  private var unitsPerMetre = 0.0
  private var left = 0.0
  private var top = 0.0

  /// - Parameter positions: at least one.
  init(_ positions: [Coordinate]) {
    origin = WebMercator(positions[0])
    let latitudes = positions.map { Double($0.latitude) / 1e7 }
    let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    let places = positions.map { WebMercator($0) }
    let easts = places.map { [origin] in Self.east(of: $0, from: origin) }
    let (west, east) = (easts.min() ?? 0, easts.max() ?? 0)
    let (south, north) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
    // A team that stands still is drawn on a map of some 200 m.
    let across = max(east - west, 300)
    let down = max(north - south, 300)
    let room = Self.width - 2 * Self.margin
    height = min(max(room * down / across, Self.heights.lowerBound), Self.heights.upperBound)
    unitsPerMetre = min(room / across, height / down)
    left = Self.width / 2 - (west + east) / 2 * unitsPerMetre
    top = Self.margin + height / 2 + (south + north) / 2 * unitsPerMetre
    height += 2 * Self.margin
    metresPerUnit = max(0.05, cosine(middle * radiansPerDegree)) / unitsPerMetre
  }

  func x(_ position: Coordinate) -> Double {
    left + Self.east(of: WebMercator(position), from: origin) * unitsPerMetre
  }

  func y(_ position: Coordinate) -> Double { top - WebMercator(position).y * unitsPerMetre }

  /// Metres from `origin` by the shorter way, so that a course may cross the antimeridian.
  private static func east(of place: WebMercator, from origin: WebMercator) -> Double {
    let east = place.x - origin.x
    return east > worldMetres / 2
      ? east - worldMetres : east < -worldMetres / 2 ? east + worldMetres : east
  }

  /// Whether it is on the map or as near as its own width or height.
  func isNear(_ position: Coordinate) -> Bool {
    (-Self.width...2 * Self.width).contains(x(position))
      && (-height...2 * height).contains(y(position))
  }

  // MARK: Tiles

  private var unitsPerWorld: Double { unitsPerMetre * Self.worldMetres }
  /// Where the antimeridian west of `origin` and the upper end of the world are.
  private var corner: (x: Double, y: Double) {
    (
      left - origin.x * unitsPerMetre - unitsPerWorld / 2,
      top - unitsPerWorld / 2
    )
  }

  /// The whole picture.
  var view: MapView {
    MapView(
      left: -corner.x / unitsPerWorld, top: -corner.y / unitsPerWorld,
      right: (Self.width - corner.x) / unitsPerWorld,
      bottom: (height - corner.y) / unitsPerWorld, unitsPerWorld: unitsPerWorld)
  }

  /// Upper left corner and width.
  func place(_ tile: TileMosaic.Tile) -> (x: Double, y: Double, width: Double) {
    (
      corner.x + tile.left * unitsPerWorld, corner.y + tile.top * unitsPerWorld,
      tile.width * unitsPerWorld
    )
  }
}
