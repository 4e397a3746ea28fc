/// The parameter `time`: an instant, or a start and an end, in milliseconds since 1970.
enum TimeFilter {
  /// The features whose time is in the interval, ends included; an end that is `null` is open.
  ///
  /// - Returns: `nil` without the parameter, and for a layer without times, as in ArcGIS.
  static func condition(
    _ request: ServiceRequest, _ layer: Layer
  ) throws(ArcGISError) -> WhereClause? {
    guard let text = request.text("time") else { return nil }
    if let relation = request.text("timeRelation"), relation != "esriTimeRelationOverlaps" {
      throw .invalid("timeRelation", "esriTimeRelationOverlaps is supported.")
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard parts.count <= 2 else {
      throw .invalid("time", "Give an instant, or a start and an end.")
    }
    var ends: [Int64?] = []
    for part in parts {
      guard let end = part.lowercased() == "null" ? Int64?.none : try instant(part) else {
        ends.append(nil)
        continue
      }
      ends.append(end)
    }
    guard let field = layer.timeField else { return nil }
    let (start, end) = (ends[0], ends[ends.count - 1])
    var conditions: [String] = []
    if start != nil { conditions.append("\"\(field)\" >= ?") }
    if end != nil { conditions.append("\"\(field)\" <= ?") }
    if conditions.isEmpty { return nil }
    return WhereClause(
      sql: conditions.joined(separator: " AND "),
      values: [start, end].compactMap { $0.map { .integer($0) } })
  }

  private static func instant(_ text: String) throws(ArcGISError) -> Int64 {
    // JavaScript writes whole numbers with a fraction sometimes.
    if let whole = Int64(text) { return whole }
    guard let number = Double(text), let whole = Int64(exactly: number.rounded()) else {
      throw .invalid("time", "'\(text.prefix(40))' is neither milliseconds since 1970 nor null.")
    }
    return whole
  }
}
