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
