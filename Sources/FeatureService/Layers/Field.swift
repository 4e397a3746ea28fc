/// A column of a layer, as its metadata describes it.
struct Field: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case objectID
    case globalID
    /// Up to so many characters.
    case text(length: Int)
    case integer
    case number
    /// Milliseconds since 1970.
    case date
  }

  var name: String
  var kind: Kind

  var isNullable: Bool { kind != .objectID && kind != .globalID }
  /// Whether a client's value is taken. A GlobalID is, by `applyEdits` with `useGlobalIds` alone.
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
    // Esri gives dates eight, the size in a file geodatabase.
    case .date: 8
    case .objectID, .integer, .number: nil
    }
  }

  /// Its entry in `fields`.
  ///
  /// - Parameter isEditableLayer: whether the layer takes edits at all.
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
