import JSONReading

/// A feature as sent by a client, not validated yet.
struct IncomingFeature: Sendable, Decodable {
  /// A value of an attribute.
  enum Value: Sendable, Equatable {
    case null
    case text(String)
    case integer(Int64)
    case number(Double)
    case boolean
    /// A list or an object, which is not valid for any attribute.
    case nested
  }

  enum Geometry: Sendable, Equatable {
    case none
    /// Without a reference it is in the layer's own system.
    case point(x: Double, y: Double, SpatialReference?)
    /// Not a point.
    case unreadable
  }

  var geometry: Geometry
  /// `nil` if they are not an object.
  var attributes: [String: Value]?

  /// Whether its attribute `UUID` is one of these, which are in lower case.
  func isCapture(in identifiers: Set<String>) -> Bool {
    if identifiers.isEmpty { return false }
    let value = attributes?.first { $0.key.lowercased() == "uuid" }?.value
    guard case .text(let text)? = value else { return false }
    return identifiers.contains(text.lowercased())
  }

  /// Reads the `features` or `adds` of a request.
  ///
  /// - Throws: `ArcGISError` if it is not a list of objects.
  static func list(_ bytes: [UInt8], parameter: String) throws(ArcGISError) -> [IncomingFeature] {
    var features: [IncomingFeature] = []
    var values = 0
    do {
      var reader = try JSONListReader(bytes)
      while let value = try reader.next(atMost: Bounds.featureBytes) {
        let feature = try JSONDecoder().decode(IncomingFeature.self, from: value)
        values += feature.attributes?.count ?? 0
        features.append(feature)
        guard features.count <= Bounds.featuresInEdit, values <= Bounds.valuesInEdit else { break }
      }
    } catch {
      throw .invalid(
        parameter,
        "It is not a JSON list of features, of \(Bounds.featureBytes) bytes at most each.")
    }
    guard features.count <= Bounds.featuresInEdit else {
      throw .invalid(parameter, "More than \(Bounds.featuresInEdit) features at a time.")
    }
    guard values <= Bounds.valuesInEdit else {
      throw .invalid(parameter, "More than \(Bounds.valuesInEdit) values at a time.")
    }
    return features
  }

  private enum Key: String, CodingKey {
    case geometry, attributes, x, y, spatialReference
  }

  init(from decoder: any Decoder) throws {
    let feature = try decoder.container(keyedBy: Key.self)
    attributes =
      feature.contains(.attributes)
      ? try? feature.decode([String: Value].self, forKey: .attributes) : [:]
    if try !feature.contains(.geometry) || feature.decodeNil(forKey: .geometry) {
      geometry = .none
    } else {
      geometry = (try? Self.geometry(in: feature)) ?? .unreadable
    }
  }

  private static func geometry(in feature: KeyedDecodingContainer<Key>) throws -> Geometry {
    let point = try feature.nestedContainer(keyedBy: Key.self, forKey: .geometry)
    let reference = try point.decodeIfPresent(SpatialReference.self, forKey: .spatialReference)
    return .point(
      x: try point.decode(Double.self, forKey: .x), y: try point.decode(Double.self, forKey: .y),
      reference.flatMap { $0.isGiven ? $0 : nil })
  }
}

extension IncomingFeature.Value: Decodable {
  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else {
      self = .nested
      return
    }
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Double.self) {
      // Each failed attempt makes an error with a text, which takes longer than the rest.
      let isWhole = number == number.rounded()
      let integer = isWhole ? try? container.decode(Int64.self) : nil
      self = integer.map { .integer($0) } ?? .number(number)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if (try? container.decode(Bool.self)) != nil {
      self = .boolean
    } else {
      self = .nested
    }
  }
}
