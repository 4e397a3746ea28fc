import Courses
import JSONReading

/// The course of the race: its checkpoints and the stages between them.
public struct Course: Sendable, Equatable {
  struct Checkpoint: Sendable, Equatable {
    var name: String
    /// In metres.
    var altitude: Double?
    var place: Place
  }

  struct Stage: Sendable, Equatable {
    var name: String
    var path: [Place]
  }

  var checkpoints: [Checkpoint] = []
  var stages: [Stage] = []

  /// A course without checkpoints.
  init() {}

  /// Reads a GeoJSON file (RFC 7946): its points are checkpoints, its lines are stages.
  ///
  /// - Parameter path: the file's path, for errors.
  /// - Throws: `ServiceError` of one line.
  public init(geoJSON bytes: [UInt8], path: String) throws(ServiceError) {
    let collection: GeoJSON
    do {
      collection = try JSONDecoder().decode(GeoJSON.self, from: bytes)
    } catch {
      if let problem = error as? JSONError, problem.isEarlyEnd, !bytes.isEmpty {
        throw ServiceError(
          "\(path): is truncated: it ends at line \(problem.line) (byte \(bytes.count)) with open "
            + "brackets; copy the file again")
      }
      throw ServiceError(
        "\(path): is not a GeoJSON FeatureCollection\(Self.place(of: error)); "
          + "export the course as GeoJSON in WGS 84")
    }
    guard collection.type == "FeatureCollection" else {
      throw ServiceError(
        "\(path): is not a GeoJSON FeatureCollection; export the course as GeoJSON")
    }
    for (index, feature) in collection.features.enumerated() {
      guard let geometry = feature.geometry else { continue }
      let name = feature.text(["name", "Nom", "nom", "Name"]) ?? "\(index + 1)"
      let altitude = feature.number(["ele", "Altitud", "altitude"])
      guard add(geometry, name: name, altitude: altitude) else {
        throw ServiceError(
          "\(path): feature \(index + 1) has a position outside the map or a geometry other than "
            + "Point, LineString and MultiLineString; correct or remove it")
      }
    }
    guard !checkpoints.isEmpty || !stages.isEmpty else {
      throw ServiceError("\(path): has no points and no lines; use the file of the course")
    }
  }

  private static func place(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "" }
    let path: [any CodingKey]
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      path = context.codingPath
    @unknown default: path = []
    }
    if path.isEmpty { return "" }
    return
      " (at \(path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")))"
  }

  /// - Returns: `false` for a geometry that cannot be part of a course.
  mutating func add(_ geometry: GeoJSON.Geometry, name: String, altitude: Double?) -> Bool {
    switch geometry {
    case .point(let position):
      guard let place = position.place else { return false }
      checkpoints.append(
        Checkpoint(name: name, altitude: altitude ?? position.altitude, place: place))
    case .lines(let lines):
      for line in lines {
        let path = line.compactMap(\.place)
        guard path.count == line.count, path.count > 1 else { return false }
        stages.append(Stage(name: name, path: path))
      }
    case .other: return false
    }
    return true
  }
}

extension GeoJSON.Position {
  /// Longitude comes first.
  fileprivate var place: Place? {
    guard numbers.count >= 2, abs(numbers[0]) <= 180 else { return nil }
    return Projection.degrees.place(x: numbers[0], y: numbers[1])
  }

  /// In metres.
  fileprivate var altitude: Double? { numbers.count > 2 ? numbers[2] : nil }
}

extension Course {
  /// The towns along the old narrow-gauge railway from Olot to the sea, for rehearsals without a
  /// course file. Unverified, within some 300 m.
  private static let towns: [(String, latitude: Double, longitude: Double, altitude: Double)] = [
    ("Olot", 42.1822, 2.4890, 443), ("Les Preses", 42.1447, 2.4606, 480),
    ("Sant Feliu de Pallerols", 42.0783, 2.5089, 490),
    ("Les Planes d'Hostoles", 42.0569, 2.5400, 367), ("Amer", 42.0097, 2.6025, 180),
    ("La Cellera de Ter", 41.9686, 2.6278, 165), ("Anglès", 41.9561, 2.6372, 181),
    ("Bonmatí", 41.9656, 2.6642, 150), ("Bescanó", 41.9664, 2.7397, 103),
    ("Salt", 41.9750, 2.7928, 85), ("Girona", 41.9794, 2.8214, 75),
    ("Quart", 41.9392, 2.8425, 110), ("Llambilles", 41.9219, 2.8525, 120),
    ("Cassà de la Selva", 41.8886, 2.8758, 136), ("Llagostera", 41.8281, 2.8939, 163),
    ("Santa Cristina d'Aro", 41.8131, 2.9972, 20), ("Castell d'Aro", 41.8175, 3.0261, 30),
    ("Sant Feliu de Guíxols", 41.7806, 3.0281, 4),
  ]

  public static var carrilet: Course {
    var course = Course()
    for town in towns {
      guard let place = Projection.degrees.place(x: town.longitude, y: town.latitude) else {
        continue
      }
      if let last = course.checkpoints.last {
        course.stages.append(
          Stage(name: "\(last.name) - \(town.0)", path: [last.place, place]))
      }
      course.checkpoints.append(
        Checkpoint(name: town.0, altitude: town.altitude, place: place))
    }
    return course
  }
}
