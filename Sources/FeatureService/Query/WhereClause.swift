/// A where clause as generated SQL: names come from the layer, and every value is bound.
struct WhereClause: Sendable, Equatable {
  var sql: String
  var values: [StoredValue]

  /// Parses SQL-92 as ArcGIS accepts it:
  ///
  ///     condition:  comparison | ( condition ) | NOT condition | condition AND|OR condition
  ///     comparison: operand = <> < > <= >= operand | operand [NOT] IN ( operand, … )
  ///               | operand [NOT] LIKE text | operand [NOT] BETWEEN operand AND operand
  ///               | operand IS [NOT] NULL
  ///     operand:    a field | a number | 'a text' | DATE '2012-10-06'
  ///               | TIMESTAMP '2012-10-06 10:00:00' | UPPER(operand) | LOWER(operand)
  ///
  /// - Throws: `ArcGISError` with code 400.
  init(_ text: String, layer: Layer) throws(ArcGISError) {
    var parser = WhereParser(try WhereToken.list(text), layer: layer)
    self = try parser.clause()
  }

  /// The objects with these numbers.
  static func objects(_ numbers: [String], _ layer: Layer) -> WhereClause {
    WhereClause(
      sql: "\"\(layer.objectIDField)\" IN (SELECT value FROM json_each(?))",
      values: [.text("[\(numbers.joined(separator: ","))]")])
  }

  init(sql: String, values: [StoredValue]) {
    self.sql = sql
    self.values = values
  }
}

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
      try inner.writeText(sql: &sql, values: &values)
      sql += ")"
    }
  }

  /// The same as a text, which functions and patterns need.
  func writeText(sql: inout String, values: inout [StoredValue]) throws(ArcGISError) {
    switch self {
    case .value(let value):
      sql += "?"
      values.append(value.asText)
    case .field(let field) where !field.kind.isText: sql += "CAST(\"\(field.name)\" AS TEXT)"
    case .field, .folded: try write(beside: nil, sql: &sql, values: &values)
    }
  }

  private static func read(_ value: StoredValue, as field: Field?) throws(ArcGISError)
    -> StoredValue
  {
    guard let field else { return value }
    guard case .text(let text) = value else { return field.kind.isText ? value.asText : value }
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

/// A recursive-descent parser for where clauses.
struct WhereParser {
  private var tokens: ArraySlice<WhereToken>
  let layer: Layer
  private var terms = 0
  private var sql = ""
  private var values: [StoredValue] = []

  init(_ tokens: [WhereToken], layer: Layer) {
    self.tokens = tokens[...]
    self.layer = layer
  }

  mutating func clause() throws(ArcGISError) -> WhereClause {
    try alternatives(depth: 0)
    if let next = tokens.first {
      throw .query("\(next.summary) follows the end of the where clause.")
    }
    return WhereClause(sql: sql, values: values)
  }

  // MARK: Conditions

  private mutating func alternatives(depth: Int) throws(ArcGISError) {
    try conjunction(depth: depth)
    while takeWord("OR") {
      sql += " OR "
      try conjunction(depth: depth)
    }
  }

  private mutating func conjunction(depth: Int) throws(ArcGISError) {
    try negation(depth: depth)
    while takeWord("AND") {
      sql += " AND "
      try negation(depth: depth)
    }
  }

  private mutating func negation(depth: Int) throws(ArcGISError) {
    guard depth <= Bounds.whereDepth else {
      throw .query("The where clause is nested more than \(Bounds.whereDepth) deep.")
    }
    terms += 1
    guard terms <= Bounds.whereTerms else {
      throw .query("The where clause has more than \(Bounds.whereTerms) conditions.")
    }
    if takeWord("NOT") {
      sql += "NOT "
      return try negation(depth: depth + 1)
    }
    guard takeSymbol("(") else { return try comparison() }
    sql += "("
    try alternatives(depth: depth + 1)
    try expectSymbol(")")
    sql += ")"
  }

  private mutating func comparison() throws(ArcGISError) {
    let left = try operand()
    if case .symbol(let symbol)? = tokens.first, ["=", "<>", "<", ">", "<=", ">="].contains(symbol)
    {
      tokens.removeFirst()
      let right = try operand()
      return try write([left, right], " \(symbol) ")
    }
    if takeWord("IS") {
      let word = takeWord("NOT") ? " IS NOT NULL" : " IS NULL"
      guard takeWord("NULL") else { throw unexpected("NULL") }
      try write([left], "")
      sql += word
      return
    }
    let negation = takeWord("NOT") ? "NOT " : ""
    if takeWord("IN") {
      try list(left, negation)
    } else if takeWord("LIKE") {
      let right = try operand()
      guard case .value(.text(let pattern)) = right else {
        throw .query("LIKE needs a text in quotes.")
      }
      // A long text there would be searched again in each row, longer than a query may take.
      guard !left.isConstant else { throw .query("LIKE needs a field on its left.") }
      guard pattern.utf8.count <= Bounds.patternBytes else {
        throw .query("A pattern of LIKE is longer than \(Bounds.patternBytes) bytes.")
      }
      try left.writeText(sql: &sql, values: &values)
      sql += " \(negation)LIKE ?"
      values.append(.text(pattern))
      try limitValues()
      if takeWord("ESCAPE") {
        try escape()
      } else {
        // Else PostgreSQL takes a backslash for one.
        sql += " ESCAPE '\u{1}'"
      }
    } else if takeWord("BETWEEN") {
      let low = try operand()
      guard takeWord("AND") else { throw unexpected("AND") }
      let high = try operand()
      try write([left, low, high], " \(negation)BETWEEN ", then: " AND ")
    } else {
      throw unexpected("a comparison")
    }
  }

  private mutating func list(_ left: WhereOperand, _ negation: String) throws(ArcGISError) {
    try expectSymbol("(")
    var operands = [left, try operand()]
    while takeSymbol(",") { operands.append(try operand()) }
    try expectSymbol(")")
    try write(operands, " \(negation)IN (", then: ", ")
    sql += ")"
  }

  private mutating func escape() throws(ArcGISError) {
    guard case .value(.text(let text)) = try operand(), text.unicodeScalars.count == 1 else {
      throw .query("ESCAPE needs a text of one character.")
    }
    sql += " ESCAPE ?"
    values.append(.text(text))
  }

  // MARK: Operands

  /// - Parameter depth: the functions around it.
  private mutating func operand(depth: Int = 0) throws(ArcGISError) -> WhereOperand {
    guard depth <= Bounds.whereFunctions else {
      throw .query("The where clause nests more than \(Bounds.whereFunctions) functions.")
    }
    guard let token = tokens.popFirst() else {
      throw .query("The where clause ends too early.")
    }
    switch token {
    case .integer(let number): return .value(.integer(number))
    case .number(let number): return .value(.number(number))
    case .text(let text): return .value(.text(text))
    case .symbol("-"):
      switch tokens.popFirst() {
      case .integer(let number)?: return .value(.integer(-number))
      case .number(let number)?: return .value(.number(-number))
      default: throw .query("A number must follow the minus in the where clause.")
      }
    case .symbol: throw .query("\(token.summary) in the where clause is out of place.")
    case .quotedName(let name): return try field(name)
    case .word(let word): return try named(word, depth: depth)
    }
  }

  private mutating func named(_ word: String, depth: Int) throws(ArcGISError) -> WhereOperand {
    switch word.uppercased() {
    case "DATE", "TIMESTAMP":
      guard case .text(let text)? = tokens.first else { break }
      tokens.removeFirst()
      guard let milliseconds = QueriedDate.milliseconds(text) else {
        throw .query("'\(text.prefix(40))' is not a date; write 2012-10-06 10:00:00.")
      }
      return .value(.integer(milliseconds))
    case "UPPER", "LOWER":
      guard takeSymbol("(") else { break }
      let inner = try operand(depth: depth + 1)
      try expectSymbol(")")
      return .folded(inner, function: word.lowercased())
    default: break
    }
    return try field(word)
  }

  private func field(_ name: String) throws(ArcGISError) -> WhereOperand {
    guard let field = layer.field(name) else {
      throw .query("'\(name.prefix(40))' is not a field of the layer \(layer.name).")
    }
    return .field(field)
  }

  /// Writes operands with one separator between the first two, and another between the rest.
  private mutating func write(
    _ operands: [WhereOperand], _ first: String, then others: String = ""
  ) throws(ArcGISError) {
    // The field determines the meaning of the texts compared with it.
    let field = operands.lazy.compactMap(\.field).first
    for (index, operand) in operands.enumerated() {
      if index > 0 { sql += index == 1 ? first : others }
      try operand.write(beside: field, sql: &sql, values: &values)
    }
    try limitValues()
  }

  private func limitValues() throws(ArcGISError) {
    guard values.count <= Bounds.whereValues else {
      throw .query("The where clause has more than \(Bounds.whereValues) values.")
    }
  }

  // MARK: Words

  private mutating func takeWord(_ word: String) -> Bool {
    guard case .word(let next)? = tokens.first, next.uppercased() == word else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func takeSymbol(_ symbol: String) -> Bool {
    guard tokens.first == .symbol(symbol) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expectSymbol(_ symbol: String) throws(ArcGISError) {
    guard takeSymbol(symbol) else { throw unexpected("'\(symbol)'") }
  }

  private func unexpected(_ wanted: String) -> ArcGISError {
    .query(
      "\(wanted) was expected in the where clause, found \(tokens.first?.summary ?? "its end").")
  }
}

extension StoredValue {
  fileprivate var asText: StoredValue {
    switch self {
    case .integer(let number): .text("\(number)")
    case .number(let number): .text("\(number)")
    case .null, .text: self
    }
  }
}

extension Field.Kind {
  fileprivate var isText: Bool {
    switch self {
    case .text, .globalID: true
    case .objectID, .integer, .number, .date: false
    }
  }
}
