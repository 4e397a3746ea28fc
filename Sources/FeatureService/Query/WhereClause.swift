/// A where clause as generated SQL: names come from the layer, and every value is bound.
struct WhereClause: Sendable, Equatable {
  var sql: String
  var values: [StoredValue]

  static let everything = WhereClause(sql: "1", values: [])

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
