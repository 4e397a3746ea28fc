import JSONReading
import TrackerCore

/// What a file says about a course: GeoJSON (RFC 7946) or GPX (1.0 and 1.1), by what it begins
/// with.
///
/// The course's line is the file's LineStrings, or its tracks' segments (else its routes), one
/// after the other. Points and waypoints are places. What is known of a place stands in properties
/// of the point, or in elements of the waypoint, in its `extensions`, or in its `desc` or `cmt` as
/// `radius=150`:
///
///     name            text
///     kind            start, checkpoint or finish; in GPX also the element `type`
///     radius          metres, 10...1000
///     opens, closes   times such as 2026-04-18T08:00:00Z or 2026-04-18T10:00:00+02:00
///     distance        metres along the course, for one that the course passes several times
///
/// Other programs use these names too: any other value is not used, and is listed in
/// `Place.doubts`.
public struct CourseFile: Sendable, Equatable {
  public struct Place: Sendable, Equatable {
    public var name: String?
    public var point: GroundPoint
    var kind: CoursePlace.Kind?
    public var radiusMetres: Double?
    var opens: UTC?
    var closes: UTC?
    /// Metres from the start, if the file says so.
    public var distance: Double?
    /// What it says that is not used, each in one line: a few at most.
    var doubts: [String] = []

    public init(name: String?, point: GroundPoint) {
      self.name = name
      self.point = point
    }
  }

  /// The line's own name; `nil`: it has none.
  public var name: String?
  /// One at least, in the order of the file.
  public var lines: [[GroundPoint]]
  public var places: [Place]

  /// - Throws: in one line, without the file's name.
  public init(_ bytes: [UInt8]) throws(CourseError) {
    guard bytes.contains(where: { $0 > 0x20 }) else {
      throw CourseError("the file is empty: give a course as GeoJSON or GPX")
    }
    if GPXFile.isGPX(bytes) {
      self.init(try GPXFile(bytes))
    } else {
      try self.init(geoJSON: bytes)
    }
  }

  private init(_ file: GPXFile) {
    name = file.name
    lines = file.segments.map { $0.map(\.place) }
    places = file.places
  }

  /// Reads GeoJSON. Without altitudes all of it is at 0 m.
  init(geoJSON bytes: [UInt8]) throws(CourseError) {
    let file: GeoJSON
    do {
      file = try JSONDecoder().decode(GeoJSON.self, from: bytes)
    } catch {
      throw CourseError(
        "this is neither GPX nor GeoJSON (RFC 7946): give a track or a LineString")
    }
    (name, lines, places) = (nil, [], [])
    for feature in file.features { try add(feature) }
    guard !lines.isEmpty else {
      throw CourseError("no LineString in it: give a line of two points or more")
    }
  }

  private mutating func add(_ feature: GeoJSON.Feature) throws(CourseError) {
    switch feature.geometry {
    case .point(let position)?:
      var place = Place(
        name: feature.text(["name", "Nom", "nom", "Name"]).map(printable),
        point: try Self.checked(position))
      for name in ["kind", "radius", "opens", "closes", "distance"] {
        if let text = feature.text([name]) {
          place.set(name, text)
        } else if let number = feature.number([name]) {
          place.set(name, "\(number)")
        }
      }
      places.append(place)
    case .lines(let more)?:
      for line in more {
        var points: [GroundPoint] = []
        for position in line { points.append(try Self.checked(position)) }
        lines.append(points)
      }
      if name == nil { name = feature.text(["name", "Nom", "nom", "Name"]).map(printable) }
    // Polygons and other geometries are not courses.
    case .other?, nil: break
    }
  }

  private static func checked(_ position: GeoJSON.Position) throws(CourseError) -> GroundPoint {
    let numbers = position.numbers
    guard numbers.count >= 2, GroundPoint.longitudes.contains(numbers[0]),
      GroundPoint.latitudes.contains(numbers[1])
    else {
      throw CourseError(
        "\(numbers.prefix(3)) is not longitude, latitude in degrees (85 at most): fix that point")
    }
    let altitude = numbers.count > 2 ? numbers[2] : 0
    guard GroundPoint.altitudes.contains(altitude) else {
      throw CourseError("altitude \(altitude) is not a height in metres: fix that point")
    }
    return GroundPoint(latitude: numbers[1], longitude: numbers[0], altitude: altitude)
  }
}

extension CourseFile.Place {
  /// The names of what can be set.
  static let keys = ["kind", "radius", "opens", "closes", "distance"]

  /// Metres.
  static let radii = 10.0...Double(Bounds.placeRadius)

  /// Sets one of the `keys`.
  mutating func set(_ key: String, _ value: String) {
    switch key {
    case "kind":
      kind = Self.kind(value)
      doubt(key, value, wanted: kind == nil ? "start, checkpoint or finish" : nil)
    case "radius":
      radiusMetres = Double(value).flatMap { Self.radii.contains($0) ? $0 : nil }
      doubt(key, value, wanted: radiusMetres == nil ? "metres from 10 to 1000" : nil)
    case "distance":
      distance = Double(value).flatMap { (0...2_000_000).contains($0) ? $0 : nil }
      doubt(key, value, wanted: distance == nil ? "metres from the start" : nil)
    case "opens", "closes":
      let time = DateText.xmlDate(value)
      if key == "opens" { opens = time } else { closes = time }
      doubt(key, value, wanted: time == nil ? "a time such as 2026-04-18T08:00:00Z" : nil)
    default: break
    }
  }

  private mutating func doubt(_ key: String, _ value: String, wanted: String?) {
    guard let wanted, doubts.count < 5 else { return }
    let place = name.map(printable) ?? "a place"
    doubts.append("\(place): \(key) '\(printable(value))' is not taken: give \(wanted)")
  }

  static func kind(_ text: String) -> CoursePlace.Kind? {
    switch text.lowercased() {
    case "start": .start
    case "checkpoint": .checkpoint
    case "finish": .finish
    default: nil
    }
  }

  /// Takes what a description says as `radius=150`.
  mutating func read(description: String) {
    for word in description.split(whereSeparator: { $0.isWhitespace || $0 == ";" || $0 == "," }) {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, Self.keys.contains(parts[0].lowercased()) else { continue }
      set(parts[0].lowercased(), String(parts[1]))
    }
  }
}

/// Why a course cannot be read, in one line without the file's name: what is wrong, where, and what
/// to do.
public struct CourseError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// A text from a file, a name or part of a message, for one line: cut to 60 characters, with `?`
/// for what a terminal would act on.
public func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(text.unicodeScalars.prefix(60).map { $0.isFitForLine ? $0 : "?" }))
}

extension Unicode.Scalar {
  /// No control character, no end of a line, and nothing that sets the direction of the text: the
  /// rule of `String.plain`, whose module this one does not use.
  fileprivate var isFitForLine: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}

/// The part of GeoJSON (RFC 7946) that a course needs: a geometry, a Feature or a
/// FeatureCollection.
public struct GeoJSON: Decodable {
  /// `FeatureCollection`, or whatever else it says.
  public var type: String
  /// Of anything but a collection, the one that it is.
  public var features: [Feature]

  public struct Position: Decodable {
    /// Longitude and latitude in degrees, altitude in metres.
    public var numbers: [Double]

    public init(from decoder: any Decoder) throws {
      numbers = try decoder.singleValueContainer().decode([Double].self)
    }
  }

  public enum Geometry {
    case point(Position)
    case lines([[Position]])
    case other
  }

  public struct Feature: Decodable {
    public var geometry: Geometry?
    var properties: [String: Property]

    private enum Key: String, CodingKey { case type, geometry, properties }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      geometry = try container.decodeIfPresent(Geometry.self, forKey: .geometry)
      properties =
        try container.decodeIfPresent([String: Property].self, forKey: .properties) ?? [:]
    }

    init(_ geometry: Geometry) {
      self.geometry = geometry
      properties = [:]
    }

    /// The first of these properties that is a text.
    public func text(_ names: [String]) -> String? {
      for name in names { if case .text(let text)? = properties[name] { return text } }
      return nil
    }

    /// The first of these properties that is a number, or a text that says one.
    public func number(_ names: [String]) -> Double? {
      for name in names { if case .number(let number)? = properties[name] { return number } }
      return nil
    }
  }

  enum Property: Decodable {
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    }
  }

  private enum Key: String, CodingKey { case type, features }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    type = try container.decode(String.self, forKey: .type)
    switch type {
    case "FeatureCollection": features = try container.decode([Feature].self, forKey: .features)
    case "Feature": features = [try Feature(from: decoder)]
    default: features = [Feature(try Geometry(from: decoder))]
    }
  }
}

extension GeoJSON.Geometry: Decodable {
  private enum Key: String, CodingKey { case type, coordinates }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .type) {
    case "Point": self = .point(try container.decode(GeoJSON.Position.self, forKey: .coordinates))
    case "LineString":
      self = .lines([try container.decode([GeoJSON.Position].self, forKey: .coordinates)])
    case "MultiLineString":
      self = .lines(try container.decode([[GeoJSON.Position]].self, forKey: .coordinates))
    default: self = .other
    }
  }
}
