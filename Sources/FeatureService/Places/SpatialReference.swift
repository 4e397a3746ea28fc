import Glibc
import JSONReading

/// A coordinate system as a client names it: Esri's object, or only its number.
struct SpatialReference: Sendable, Equatable, Decodable {
  /// The number under which Esri has always known it.
  var wkid: Int64?
  /// Its number today, most often EPSG's.
  var latestWkid: Int64?
  /// Its definition, for a system without a number.
  var wkt: String?

  /// Reads `4326`, `EPSG:4326`, `{"wkid":4326}`, `{"latestWkid":3857}`, `{"wkt":"PROJCS[…]"}` or
  /// the bare text of a definition; `nil` if it is none of these.
  init?(parameter text: String) {
    let text = text.trimmed
    if text.hasPrefix("{") {
      guard
        let decoded = try? JSONDecoder().decode(SpatialReference.self, from: Array(text.utf8)),
        decoded.isGiven
      else { return nil }
      self = decoded
    } else if let wkid = Int64(
      text.lowercased().hasPrefix("epsg:") ? String(text.dropFirst(5)) : text)
    {
      self.wkid = wkid
    } else if text.contains("[") {
      wkt = text
    } else {
      return nil
    }
  }

  /// Whether it names anything: an empty object stands for the layer's own.
  var isGiven: Bool { wkid != nil || latestWkid != nil || wkt != nil }

  /// As it is written into an answer: as the client named it.
  var body: JSON {
    var members: [(String, JSON)] = []
    if let wkt, wkid == nil, latestWkid == nil { members.append(("wkt", .text(wkt))) }
    if let first = wkid ?? latestWkid { members.append(("wkid", .integer(first))) }
    if let last = latestWkid ?? wkid { members.append(("latestWkid", .integer(last))) }
    return .object(members)
  }

  /// For errors.
  var summary: String {
    (wkid ?? latestWkid).map { "wkid \($0)" } ?? "wkt \(wkt?.prefix(40) ?? "")"
  }

  /// The system that it names.
  ///
  /// - Parameter systems: what the host knows beyond degrees and Web Mercator.
  /// - Returns: `nil` if it is unknown.
  func projection(_ systems: (any CoordinateSystems)?) -> Projection? {
    let numbers = [wkid, latestWkid].compactMap { $0 }
    for number in numbers {
      if let projection = Projection(wkid: number) { return projection }
    }
    guard let systems else { return nil }
    // Esri's own numbers are unknown to EPSG's register; the newest one comes first.
    for number in numbers.reversed() {
      if let found = systems.system(code: number) {
        return .other(OtherSystem(reference: self, transformation: found))
      }
    }
    // Of a system with a number, a definition can only be another way to say the same.
    guard let wkt, wkt.utf8.count <= Bounds.wktBytes, let found = systems.system(wkt: wkt) else {
      return nil
    }
    return .other(OtherSystem(reference: self, transformation: found))
  }
}

/// Coordinate systems beyond degrees and Web Mercator, from a host that knows them. Used by several
/// threads at once.
public protocol CoordinateSystems: Sendable {
  /// - Parameter code: a number of EPSG or of Esri.
  /// - Returns: `nil` if there is no such system, or none on a map.
  func system(code: Int64) -> (any CoordinateTransformation)?

  /// - Parameter wkt: a definition as well-known text, of any version.
  func system(wkt: String) -> (any CoordinateTransformation)?
}

/// One coordinate system and Web Mercator (EPSG:3857, metres). Longitude or east comes first,
/// whatever order the system's definition has.
public protocol CoordinateTransformation: Sendable {
  /// `EPSG:25831`; `nil` for a system without a number.
  var name: String? { get }
  /// The length of the system's unit in metres; `nil` for an angle.
  var metres: Double? { get }

  /// - Returns: `nil` where one of them has no coordinates for the position.
  func fromWebMercator(x: Double, y: Double) -> (x: Double, y: Double)?
  func toWebMercator(x: Double, y: Double) -> (x: Double, y: Double)?
}

/// A system that the host knows, as the client named it.
struct OtherSystem: Sendable, Equatable {
  var reference: SpatialReference
  var transformation: any CoordinateTransformation

  var name: String? { transformation.name }

  static func == (a: OtherSystem, b: OtherSystem) -> Bool { a.reference == b.reference }
}

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

func powerOfTen(_ exponent: Int) -> Double { pow(10, Double(exponent)) }

/// Distances on the ground (WGS 84), in metres.
enum GroundDistance {
  /// The ellipsoid's axes (EPSG:7030).
  private static let equator = 6_378_137.0
  private static let flattening = 1 / 298.257223563
  private static let squaredEccentricity = flattening * (2 - flattening)
  /// Its mean radius, for the arc above a chord.
  private static let mean = 6_371_008.8

  /// The distance between two stored positions: the chord through the ellipsoid and the arc above
  /// it, within a millimetre up to 10 km and ten metres up to 1 000 km.
  static func metres(_ a: Place, _ b: Place) -> Double {
    let (a, b) = (position(a), position(b))
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
    let chord = (x * x + y * y + z * z).squareRoot()
    return 2 * mean * asin(min(1, chord / (2 * mean)))
  }

  /// Metres of the map for a metre on the ground, at most: on the edge nearer to the pole.
  static func scale(from low: Double, to high: Double) -> Double {
    let y = max(abs(low), abs(high))
    // 1 / cos(latitude) on the map's sphere; 1 % for the ellipsoid.
    return cosh(y / equator) * 1.01
  }

  /// Earth-centred coordinates (EPSG method 9602), with the height 0.
  private static func position(_ place: Place) -> (x: Double, y: Double, z: Double) {
    let degrees = Projection.degrees.project(place)
    let (longitude, latitude) = (degrees.x * .pi / 180, degrees.y * .pi / 180)
    let sine = sin(latitude)
    let normal = equator / (1 - squaredEccentricity * sine * sine).squareRoot()
    return (
      normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
      normal * (1 - squaredEccentricity) * sine
    )
  }
}
