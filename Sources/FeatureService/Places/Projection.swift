import Glibc

/// A position in Web Mercator metres, the form in which positions are stored.
struct Place: Sendable, Equatable {
  var x: Double
  var y: Double
}

/// A coordinate system of requests and answers.
enum Projection: Sendable, Equatable {
  /// EPSG:4326, degrees.
  case degrees
  /// EPSG:3857, which Esri calls 102100: metres.
  case webMercator
  /// One that only the host knows.
  case other(OtherSystem)

  /// The sphere's radius in metres (EPSG:3857).
  private static let radius = 6_378_137.0
  /// Half the equator on that sphere: the edge of the square map.
  static let limit = 20_037_508.342789244

  /// - Parameter wkid: Esri's number; 102113 and 900913 are older numbers of Web Mercator.
  init?(wkid: Int64) {
    switch wkid {
    case 4326: self = .degrees
    case 102100, 3857, 102113, 900913: self = .webMercator
    default: return nil
    }
  }

  var spatialReference: JSON {
    switch self {
    case .degrees: ["wkid": 4326, "latestWkid": 4326]
    case .webMercator: ["wkid": 102100, "latestWkid": 3857]
    case .other(let system): system.reference.body
    }
  }

  /// The system's name in GeoJSON; `nil` for degrees, which need none (RFC 7946), and for a system
  /// without a number.
  var geoJSONName: String? {
    switch self {
    case .degrees: nil
    case .webMercator: "EPSG:3857"
    case .other(let system): system.name
    }
  }

  /// Whether its straight lines along the axes are straight in Web Mercator.
  var isAligned: Bool {
    if case .other = self { false } else { true }
  }

  /// The length of its unit in metres, on the map; `nil` for degrees.
  var metres: Double? {
    switch self {
    case .degrees: nil
    case .webMercator: 1
    case .other(let system): system.transformation.metres
    }
  }

  /// A stored position in this system, longitude or east first; not a number where the system has
  /// no coordinates for it.
  func project(_ place: Place) -> (x: Double, y: Double) {
    switch self {
    case .webMercator: return (place.x, place.y)
    case .degrees:
      let latitude = 2 * atan(exp(place.y / Self.radius)) - .pi / 2
      return (place.x / Self.radius * 180 / .pi, latitude * 180 / .pi)
    case .other(let system):
      return system.transformation.fromWebMercator(x: place.x, y: place.y) ?? (.nan, .nan)
    }
  }

  /// The position with coordinates of this system; `nil` outside the map.
  func place(x: Double, y: Double) -> Place? {
    let place: Place
    switch self {
    case .webMercator: place = Place(x: x, y: y)
    case .degrees:
      guard abs(y) < 90 else { return nil }
      place = Place(
        x: Self.radius * x * .pi / 180, y: Self.radius * log(tan(.pi / 4 + y * .pi / 360)))
    case .other(let system):
      guard let (x, y) = system.transformation.toWebMercator(x: x, y: y) else { return nil }
      place = Place(x: x, y: y)
    }
    // One metre is for rounding. Comparisons with NaN are false.
    guard abs(place.x) <= Self.limit + 1, abs(place.y) <= Self.limit + 1 else { return nil }
    return place
  }
}
