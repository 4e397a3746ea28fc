import JSONReading

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
    public var properties: [String: Property]

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

  public enum Property: Decodable {
    case text(String)
    case number(Double)
    case other

    public init(from decoder: any Decoder) throws {
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
