import JSONReading

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
    let number = "CAST(\(name) AS REAL)"
    switch kind {
    case .count: return "count(\(name))"
    case .sum: return "sum(\(number))"
    case .min: return "min(\(name))"
    case .max: return "max(\(name))"
    case .avg: return "avg(\(number))"
    case .stddev, .var:
      // Of a sample, as in ArcGIS; rounding may make it less than nothing.
      return "CASE WHEN count(\(name)) > 1 THEN max(0.0, (sum(\(number) * \(number)) "
        + "- sum(\(number)) * avg(\(number))) / (count(\(name)) - 1)) END"
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
