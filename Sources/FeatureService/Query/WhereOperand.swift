/// One side of a comparison.
indirect enum WhereOperand: Sendable, Equatable {
  case field(Field)
  case value(StoredValue)
  /// In capitals (`upper`) or small letters (`lower`).
  case folded(WhereOperand, function: String)

  /// The field in it, as long as its values are compared as they are.
  var field: Field? {
    if case .field(let field) = self { field } else { nil }
  }

  /// Appends SQL for it; a value becomes a question mark and is bound.
  ///
  /// - Parameter field: what it is compared with, which says how a text is to be read.
  func write(
    beside field: Field?, sql: inout String, values: inout [StoredValue]
  ) throws(ArcGISError) {
    switch self {
    case .field(let field): sql += "\"\(field.name)\""
    case .value(let value):
      sql += "?"
      values.append(try Self.read(value, as: field))
    case .folded(let inner, let function):
      sql += "\(function)("
      try inner.write(beside: nil, sql: &sql, values: &values)
      sql += ")"
    }
  }

  private static func read(_ value: StoredValue, as field: Field?) throws(ArcGISError)
    -> StoredValue
  {
    guard let field, case .text(let text) = value else { return value }
    switch field.kind {
    case .text: return value
    // Written with or without braces, in capitals or not.
    case .globalID: return .text(NewFeature.normalGlobalID(text) ?? text)
    case .date:
      guard let milliseconds = QueriedDate.milliseconds(text) else {
        throw .query("'\(text.prefix(40))' is no date to compare \(field.name) with.")
      }
      return .integer(milliseconds)
    case .objectID, .integer, .number:
      if let number = Int64(text) { return .integer(number) }
      guard let number = Double(text), number.isFinite else {
        throw .query("'\(text.prefix(40))' is no number to compare \(field.name) with.")
      }
      return .number(number)
    }
  }
}
