import FoundationEssentials

/// A feature that is right, ready to be stored.
struct NewFeature: Sendable {
  /// `nil` for a feature without geometry, which ArcGIS takes too.
  var place: Place?
  /// In the order of the layer's editable fields.
  var values: [StoredValue]
  /// With braces, in capitals.
  var globalID: String

  /// Checks what came in against the layer.
  ///
  /// - Parameters:
  ///   - keepsGlobalID: the client's GlobalID is taken, and must be there.
  ///   - random: makes the GlobalID otherwise.
  init(
    _ feature: IncomingFeature, for layer: Layer, keepsGlobalID: Bool, _ random: RandomSource
  ) throws(ItemError) {
    place = try Self.place(feature.geometry)
    guard let attributes = feature.attributes else {
      throw ItemError(code: 1016, description: "The attributes are no object of plain values.")
    }
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
      throw .globalID("it is no UUID", isMissing: false)
    }
    globalID = normal
  }

  /// `{0F8FAD5B-D9CB-469F-A165-70867728950E}`, however it was written.
  static func normalGlobalID(_ text: String) -> String? {
    let isBraced = text.hasPrefix("{") && text.hasSuffix("}")
    let bare = isBraced ? String(text.dropFirst().dropLast()) : text
    return UUID(uuidString: bare).map { "{\($0.uuidString)}" }
  }

  private static func place(_ geometry: IncomingFeature.Geometry) throws(ItemError) -> Place? {
    switch geometry {
    case .none: return nil
    case .unreadable: throw .geometry("it has no numbers x and y")
    case .point(let x, let y, let wkid):
      guard let projection = Projection(wkid: wkid ?? 102100) else {
        throw .geometry("wkid \(wkid ?? 0) is not known here, 102100 and 4326 are")
      }
      guard let place = projection.place(x: x, y: y) else {
        throw .geometry("it is off the map")
      }
      return place
    }
  }
}

/// What a column holds.
enum StoredValue: Sendable, Equatable {
  case null
  case text(String)
  case integer(Int64)
  case number(Double)
}

extension Field {
  /// The value as it is stored, if the field can have it.
  func stored(_ value: IncomingFeature.Value) throws(ItemError) -> StoredValue {
    switch (kind, value) {
    case (_, .null): return .null
    case (.text(let length), .text(let text)):
      guard text.unicodeScalars.count <= length else {
        throw .value(name, "it is longer than \(length) characters")
      }
      return .text(text)
    // Numbers become texts, as in ArcGIS: a device code of digits only is one.
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

  /// The years 1 to 9999 in milliseconds since 1970, as databases have them.
  private static let dates: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}
