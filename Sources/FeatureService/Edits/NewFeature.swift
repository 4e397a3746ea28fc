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
    guard let attributes = feature.attributes else { throw .attributes }
    let byName = Dictionary(
      attributes.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
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
