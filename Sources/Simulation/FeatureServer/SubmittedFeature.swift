import FoundationEssentials

/// A feature as a client sent it, before anybody has asked whether it is right.
struct SubmittedFeature: Decodable {
  enum Value: Equatable {
    case null
    case text(String)
    case number(Double)
    /// What no attribute can be: true, false, a list or an object.
    case other
  }

  struct Point: Decodable {
    struct Reference: Decodable { var wkid: Int }
    var x: Double
    var y: Double
    var spatialReference: Reference?
  }

  /// `nil` when it is not of a point's form.
  var geometry: Point?
  /// By the field's name in small letters, as databases compare them.
  var attributes: [String: Value]

  /// Reads the features of a request.
  ///
  /// - Throws: that they are no list of features.
  static func list(
    _ bytes: [UInt8]?, parameter: String
  ) throws(ServiceError) -> [SubmittedFeature] {
    guard let bytes, !bytes.isEmpty,
      let list = try? JSONDecoder().decode([SubmittedFeature].self, from: Data(bytes))
    else { throw .invalid(parameter) }
    return list
  }

  private enum Key: CodingKey {
    case geometry, attributes
  }

  init(from decoder: any Decoder) throws {
    let feature = try decoder.container(keyedBy: Key.self)
    geometry = try? feature.decode(Point.self, forKey: .geometry)
    let values = try feature.decode([String: Value].self, forKey: .attributes)
    attributes = [:]
    for (name, value) in values { attributes[name.lowercased()] = value }
  }
}

extension SubmittedFeature.Value: Decodable {
  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.singleValueContainer() else {
      self = .other
      return
    }
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .other
    }
  }
}
