import JSONReading
import SQL

/// A statistic of `outStatistics`.
struct Statistic: Sendable, Equatable {
  enum Kind: String, Sendable {
    case count, sum, min, max, avg, stddev, `var`
  }

  var kind: Kind
  var field: Field
  /// Under which its value is in the answer.
  var name: String

  /// Reads the parameter: a list of `{"statisticType":"max","onStatisticField":"Bateria",
  /// "outStatisticFieldName":"most"}`.
  static func list(_ text: String, _ layer: Layer) throws(ArcGISError) -> [Statistic] {
    guard let incoming = try? JSONDecoder().decode([Incoming].self, from: Array(text.utf8)) else {
      throw .invalid("outStatistics", "It is not a JSON list of statistics.")
    }
    guard !incoming.isEmpty, incoming.count <= Bounds.statistics else {
      throw .invalid("outStatistics", "It has none, or more than \(Bounds.statistics).")
    }
    var list: [Statistic] = []
    for statistic in incoming { list.append(try Statistic(statistic, layer)) }
    return list
  }

  private struct Incoming: Decodable {
    var statisticType: String
    var onStatisticField: String
    var outStatisticFieldName: String?
  }

  private init(_ incoming: Incoming, _ layer: Layer) throws(ArcGISError) {
    let word = incoming.statisticType.prefix(40)
    guard let kind = Kind(rawValue: word.lowercased()) else {
      throw .invalid(
        "outStatistics", "'\(word)': count, sum, min, max, avg, stddev and var are supported.")
    }
    let wanted = incoming.onStatisticField
    guard let field = layer.field(wanted) else {
      throw .invalid("outStatistics", "'\(wanted.prefix(40))' is not a field of \(layer.name).")
    }
    guard [.count, .min, .max].contains(kind) || field.kind.isNumber else {
      throw .invalid("outStatistics", "\(word) needs a field of numbers, not \(field.name).")
    }
    self.kind = kind
    self.field = field
    let name = incoming.outStatisticFieldName?.trimmed ?? ""
    guard name.utf8.count <= Bounds.columnNameBytes else {
      throw .invalid(
        "outStatistics", "A name is longer than \(Bounds.columnNameBytes) bytes.")
    }
    self.name = name.isEmpty ? "\(kind.rawValue.uppercased())_\(field.name)" : name
  }

  /// A number that a group's rows have one of. Of a deviation it is the square.
  var sql: String {
    let name = "\"\(field.name)\""
    // As a floating-point number: SQLite ends a query whose sum of integers overflows.
    let number = "CAST(\(name) AS DOUBLE PRECISION)"
    switch kind {
    case .count: return "count(\(name))"
    case .sum: return "sum(\(number))"
    case .min: return "min(\(name))"
    case .max: return "max(\(name))"
    case .avg: return "avg(\(number))"
    case .stddev, .var:
      // Of a sample, as in ArcGIS; rounding may make it less than nothing.
      let spread = "(sum(\(number) * \(number)) - sum(\(number)) * avg(\(number)))"
      return "CASE WHEN count(\(name)) < 2 THEN NULL WHEN \(spread) <= 0 THEN 0.0 "
        + "ELSE \(spread) / (count(\(name)) - 1) END"
    }
  }

  /// Its column in the answer.
  var column: Field {
    switch kind {
    case .count: Field(name: name, kind: .integer)
    case .min, .max: Field(name: name, kind: field.kind == .objectID ? .integer : field.kind)
    case .sum, .avg, .stddev, .var: Field(name: name, kind: .number)
    }
  }
}

extension Field.Kind {
  fileprivate var isNumber: Bool {
    switch self {
    case .objectID, .integer, .number: true
    case .text, .globalID, .date: false
    }
  }
}

/// A query for rows that are not features: statistics of groups, or the different values of fields.
struct Grouping: Sendable, Equatable {
  /// The rows of a group have the same values in these.
  var fields: [Field]
  /// None: the different values are all that is asked for.
  var statistics: [Statistic]

  /// - Parameter outFields: what is to be different with `returnDistinctValues`.
  /// - Returns: `nil` if the client wants features.
  init?(_ request: ServiceRequest, outFields: [Field], _ layer: Layer) throws(ArcGISError) {
    let isDistinct = try request.flag("returnDistinctValues", default: false)
    let groups = request.text("groupByFieldsForStatistics")
    guard let text = request.text("outStatistics") else {
      if groups != nil {
        throw .invalid("groupByFieldsForStatistics", "It goes with outStatistics.")
      }
      guard isDistinct else { return nil }
      fields = outFields
      statistics = []
      return
    }
    if isDistinct { throw .invalid("returnDistinctValues", "It does not go with outStatistics.") }
    statistics = try Statistic.list(text, layer)
    fields =
      try groups.map { text throws(ArcGISError) in
        try QueryRequest.fields(text, "groupByFieldsForStatistics", layer)
      } ?? []
    let names = columns.map { $0.name.lowercased() }
    guard Set(names).count == names.count else {
      throw .invalid("outStatistics", "Two columns have the same name.")
    }
  }

  /// The columns of the answer.
  var columns: [Field] { fields + statistics.map(\.column) }

  /// SQL for the columns.
  var selection: String {
    (fields.map { "\"\($0.name)\"" } + statistics.map(\.sql)).joined(separator: ", ")
  }

  /// What follows the conditions in SQL; empty for one group of everything.
  var clause: String {
    fields.isEmpty ? "" : " GROUP BY " + fields.map { "\"\($0.name)\"" }.joined(separator: ", ")
  }

  /// The number of the column with that name, from 1, as SQL takes it in ORDER BY.
  func place(of name: some StringProtocol) -> Int? {
    let wanted = name.lowercased()
    return columns.firstIndex { $0.name.lowercased() == wanted }.map { $0 + 1 }
  }

  /// Whether a column's value is the root of what SQL gives.
  func isRoot(_ column: Int) -> Bool {
    column >= fields.count && statistics[column - fields.count].kind == .stddev
  }
}

/// Writes the rows of a grouping, in Esri's JSON or in GeoJSON.
struct GroupText: Sendable {
  var grouping: Grouping
  var isGeoJSON: Bool

  /// Appends a row.
  func append(_ row: any SQLStatement, to bytes: inout [UInt8]) {
    let start =
      isGeoJSON ? "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{" : "{\"attributes\":{"
    bytes.append(contentsOf: start.utf8)
    for (index, column) in grouping.columns.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(column.name)
      bytes.append(UInt8(ascii: ":"))
      if grouping.isRoot(index), !row.isNull(Int32(index)) {
        bytes.appendJSON(row.double(Int32(index)).squareRoot())
      } else {
        bytes.appendValue(of: column.kind, row, Int32(index))
      }
    }
    bytes.append(contentsOf: "}}".utf8)
  }
}
