/// The part of RFC 7946 that a course needs.
enum GeoJSON {
  struct Collection: Decodable {
    var type: String
    var features: [Feature]
  }

  struct Position: Decodable {
    var numbers: [Double]

    init(from decoder: any Decoder) throws {
      numbers = try decoder.singleValueContainer().decode([Double].self)
    }

    /// Longitude comes first.
    var place: Place? {
      guard numbers.count >= 2, abs(numbers[0]) <= 180 else { return nil }
      return Projection.degrees.place(x: numbers[0], y: numbers[1])
    }

    /// In metres.
    var altitude: Double? { numbers.count > 2 ? numbers[2] : nil }
  }

  enum Geometry: Decodable {
    case point(Position)
    case lines([[Position]])
    case other

    private enum Key: String, CodingKey { case type, coordinates }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      switch try container.decode(String.self, forKey: .type) {
      case "Point": self = .point(try container.decode(Position.self, forKey: .coordinates))
      case "LineString":
        self = .lines([try container.decode([Position].self, forKey: .coordinates)])
      case "MultiLineString":
        self = .lines(try container.decode([[Position]].self, forKey: .coordinates))
      default: self = .other
      }
    }
  }

  struct Feature: Decodable {
    var geometry: Geometry?
    var name: String?
    var altitude: Double?

    private enum Key: String, CodingKey { case geometry, properties }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      geometry = try container.decodeIfPresent(Geometry.self, forKey: .geometry)
      let properties =
        try container.decodeIfPresent(
          [String: IncomingFeature.Value].self, forKey: .properties) ?? [:]
      for key in ["name", "Nom", "nom", "Name"] {
        if name == nil, case .text(let text)? = properties[key] { name = text }
      }
      for key in ["ele", "Altitud", "altitude"] where altitude == nil {
        switch properties[key] {
        case .integer(let number)?: altitude = Double(number)
        case .number(let number)?: altitude = number
        default: break
        }
      }
    }
  }
}
