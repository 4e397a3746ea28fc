/// A column of a layer, as its metadata describes it.
struct Field: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case objectID
    case globalID
    /// Up to `length` characters.
    case text(length: Int)
    case integer
    case number
    /// Milliseconds since 1970.
    case date
  }

  var name: String
  var kind: Kind

  var isNullable: Bool { kind != .objectID && kind != .globalID }
  /// Whether clients may set the value. A GlobalID can only be set by `applyEdits` with
  /// `useGlobalIds`.
  var isEditable: Bool { isNullable }

  var typeName: String {
    switch kind {
    case .objectID: "esriFieldTypeOID"
    case .globalID: "esriFieldTypeGlobalID"
    case .text: "esriFieldTypeString"
    case .integer: "esriFieldTypeInteger"
    case .number: "esriFieldTypeDouble"
    case .date: "esriFieldTypeDate"
    }
  }

  private var length: Int64? {
    switch kind {
    case .globalID: 38
    case .text(let length): Int64(length)
    // Esri gives 8 for dates, their size in a file geodatabase. Older versions of GDAL read dates
    // as text, and warn of each that has more than 8 characters; no reader needs it.
    case .date, .objectID, .integer, .number: nil
    }
  }

  /// Its entry in `fields`.
  ///
  /// - Parameter isEditableLayer: whether the layer accepts edits at all.
  func description(isEditableLayer: Bool) -> JSON {
    var members: [(String, JSON)] = [
      ("name", .text(name)), ("type", .text(typeName)), ("alias", .text(name)),
      ("sqlType", "sqlTypeOther"),
    ]
    if let length { members.append(("length", .integer(length))) }
    members += [
      ("nullable", .boolean(isNullable)), ("editable", .boolean(isEditable && isEditableLayer)),
      ("domain", .null), ("defaultValue", .null),
    ]
    return .object(members)
  }
}
