/// One side of a comparison.
indirect enum WhereOperand: Sendable, Equatable {
  case field(Field)
  case value(StoredValue)
  /// In upper or lower case (`upper`, `lower`).
  case folded(WhereOperand, function: String)

  /// The field, if its values are compared unchanged.
  var field: Field? {
    if case .field(let field) = self { field } else { nil }
  }

  /// Whether it is the same in every row.
  var isConstant: Bool {
    switch self {
    case .field: false
    case .value: true
    case .folded(let inner, _): inner.isConstant
    }
  }

  /// Appends SQL for it; a value becomes a question mark and is bound.
  ///
  /// - Parameter field: the field that it is compared with, which determines how a text is parsed.
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
    // In any form, with or without braces.
    case .globalID: return .text(NewFeature.normalGlobalID(text) ?? text)
    case .date:
      guard let milliseconds = QueriedDate.milliseconds(text) else {
        throw .query("'\(text.prefix(40))' is not a date to compare \(field.name) with.")
      }
      return .integer(milliseconds)
    case .objectID, .integer, .number:
      if let number = Int64(text) { return .integer(number) }
      guard let number = Double(text), number.isFinite else {
        throw .query("'\(text.prefix(40))' is not a number to compare \(field.name) with.")
      }
      return .number(number)
    }
  }
}
