import JSONReading
import TrackerCore
import Wording

/// A validated feature, ready to be stored.
struct NewFeature: Sendable {
  /// `nil` for a feature without geometry, which ArcGIS accepts too.
  var place: Place?
  /// In the order of the layer's editable fields.
  var values: [StoredValue]
  /// With braces, in upper case.
  var globalID: String
  /// When another server got it; `nil`: it arrives now.
  var arrived: UTC?

  /// Validates a feature against the layer.
  ///
  /// - Parameters:
  ///   - systems: what the host knows beyond degrees and Web Mercator.
  ///   - keepsGlobalID: whether to keep the client's GlobalID, which is required then.
  ///   - random: generates the GlobalID otherwise.
  init(
    _ feature: IncomingFeature, for layer: Layer, _ systems: (any CoordinateSystems)?,
    keepsGlobalID: Bool, _ random: RandomSource
  ) throws(ItemError) {
    place = try Self.place(feature.geometry, systems)
    guard let byName = feature.byName else { throw .attributes }
    values = []
    for field in layer.fields where field.isEditable {
      let value = byName[field.name.lowercased()] ?? .null
      values.append(try field.stored(value))
    }
    guard keepsGlobalID, let field = layer.globalIDField else {
      globalID = random.globalID()
      return
    }
    guard case .text(let text) = byName[field.lowercased()] ?? .null, !text.isEmpty else {
      throw .globalID("it is missing, and useGlobalIds is true", isMissing: true)
    }
    guard let normal = Self.normalGlobalID(text) else {
      throw .globalID("it is not a UUID", isMissing: false)
    }
    globalID = normal
  }

  /// `{0F8FAD5B-D9CB-469F-A165-70867728950E}`, from any form of it; `nil` if it is not a UUID.
  static func normalGlobalID(_ text: String) -> String? {
    let isBraced = text.hasPrefix("{") && text.hasSuffix("}")
    let bare = isBraced ? String(text.dropFirst().dropLast()) : text
    return UniqueID(text: bare)?.bracedText
  }

  /// A feature's position; `nil` without one.
  static func place(
    _ geometry: IncomingFeature.Geometry, _ systems: (any CoordinateSystems)?
  ) throws(ItemError) -> Place? {
    switch geometry {
    case .none: return nil
    case .unreadable: throw .geometry("it has no numbers x and y")
    case .point(let x, let y, let reference):
      let projection: Projection
      if let reference {
        guard let known = reference.projection(systems) else {
          throw .geometry("\(reference.summary) is not known here; use 102100 or 4326")
        }
        projection = known
      } else {
        projection = .webMercator
      }
      guard let place = projection.place(x: x, y: y) else {
        throw .geometry("it is outside the map")
      }
      return place
    }
  }
}

/// What a row of a table without geometry says, field by field.
struct TableRow: Sendable {
  private let table: Layer
  private let byName: [String: IncomingFeature.Value]

  init(_ feature: IncomingFeature, of table: Layer) throws(ItemError) {
    guard let byName = feature.byName, feature.geometry == .none else { throw .attributes }
    (self.table, self.byName) = (table, byName)
  }

  /// `nil`: it has none.
  func text(_ name: String) throws(ItemError) -> String? {
    if case .text(let text) = try value(name) { text } else { nil }
  }

  /// A number, or a date in milliseconds since 1970; `nil`: it has none.
  func integer(_ name: String) throws(ItemError) -> Int64? {
    if case .integer(let number) = try value(name) { number } else { nil }
  }

  /// - Throws: also if it is missing or empty.
  func required(text name: String) throws(ItemError) -> String {
    guard let text = try text(name), !text.isEmpty else { throw .missing("it has no \(name)") }
    return text
  }

  /// - Throws: also if it is missing.
  func required(integer name: String) throws(ItemError) -> Int64 {
    guard let number = try integer(name) else { throw .missing("it has no \(name)") }
    return number
  }

  private func value(_ name: String) throws(ItemError) -> StoredValue {
    guard let field = table.field(name), let value = byName[name.lowercased()] else { return .null }
    return try field.stored(value)
  }
}

/// The value of a column.
enum StoredValue: Sendable, Equatable {
  case null
  case text(String)
  case integer(Int64)
  case number(Double)
}

extension Field {
  /// The value to store, if it is valid for the field.
  func stored(_ value: IncomingFeature.Value) throws(ItemError) -> StoredValue {
    switch (kind, value) {
    case (_, .null): return .null
    case (.text(let length), .text(let text)):
      guard text.unicodeScalars.count <= length else {
        throw .value(name, "it is longer than \(length) characters")
      }
      return .text(text)
    // Numbers become texts, as in ArcGIS: a device code may consist of digits.
    case (.text, .integer(let number)): return .text(String(number))
    case (.integer, .integer(let number)):
      guard Int32(exactly: number) != nil else { throw .value(name, "it is too large") }
      return .integer(number)
    case (.number, .integer(let number)): return .number(Double(number))
    case (.number, .number(let number)) where number.isFinite: return .number(number)
    case (.date, .integer(let number)):
      guard Self.dates.contains(number) else { throw .value(name, "no such date") }
      return .integer(number)
    case (.date, .number(let number)):
      guard let whole = Int64(exactly: number.rounded()), Self.dates.contains(whole) else {
        throw .value(name, "no such date")
      }
      return .integer(whole)
    default: throw .value(name, "a \(typeName) was expected")
    }
  }

  /// The years 1 to 9999, as in databases, in milliseconds since 1970.
  private static let dates: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}

/// A feature as sent by a client, not validated yet.
struct IncomingFeature: Sendable {
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
  /// The attributes by their names in lower case; `nil` if they are not an object.
  var byName: [String: Value]?

  static func inLowerCase(_ values: [String: Value]) -> [String: Value] {
    Dictionary(
      values.lazy.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether its attribute `UUID` is one of these, which are in lower case.
  func isCapture(in identifiers: Set<String>) -> Bool {
    if identifiers.isEmpty { return false }
    guard case .text(let text)? = byName?["uuid"] else { return false }
    return identifiers.contains(text.lowercased())
  }

  /// Reads the `features` or `adds` of a request.
  ///
  /// - Throws: `ArcGISError` if it is not a list of objects.
  static func list(_ bytes: [UInt8], parameter: String) throws(ArcGISError) -> [IncomingFeature] {
    var features: [IncomingFeature] = []
    var values = 0
    let problem = ArcGISError.invalid(
      parameter, "It is not a JSON list of features, of \(Bounds.featureBytes) bytes at most each.")
    do {
      var reader = try JSONListReader(bytes)
      while let value = try reader.next(atMost: Bounds.featureBytes) {
        guard let feature = IncomingFeature(value) else { throw problem }
        values += feature.byName?.count ?? 0
        features.append(feature)
        guard features.count <= Bounds.featuresInEdit, values <= Bounds.valuesInEdit else { break }
      }
    } catch {
      throw problem
    }
    guard features.count <= Bounds.featuresInEdit else {
      throw .invalid(parameter, "More than \(Bounds.featuresInEdit) features at a time.")
    }
    guard values <= Bounds.valuesInEdit else {
      throw .invalid(parameter, "More than \(Bounds.valuesInEdit) values at a time.")
    }
    return features
  }

  /// - Returns: `nil` if it is not an object.
  init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    geometry = Self.geometry(members["geometry"] ?? .null)
    switch members["attributes"] {
    case nil: byName = [:]
    case .object(let values): byName = Self.inLowerCase(values.mapValues { Value($0) })
    default: byName = nil
    }
  }

  private static func geometry(_ value: JSONValue) -> Geometry {
    if value == .null { return .none }
    guard case .object(let point) = value, let x = point["x"]?.number, let y = point["y"]?.number
    else { return .unreadable }
    let given = point["spatialReference"] ?? .null
    if given == .null { return .point(x: x, y: y, nil) }
    guard let reference = try? JSONDecoder().decode(SpatialReference.self, from: given) else {
      return .unreadable
    }
    return .point(x: x, y: y, reference.isGiven ? reference : nil)
  }
}

extension IncomingFeature.Value {
  init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .text(let text): .text(text)
      case .boolean: .boolean
      case .object, .list: .nested
      case .whole, .real:
        value.wholeNumber.map { .integer($0) } ?? value.number.map { .number($0) } ?? .null
      }
  }
}
