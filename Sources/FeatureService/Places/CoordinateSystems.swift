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
