import TrackerCore

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

/// Dates in SQL, in UTC.
enum QueriedDate {
  /// Milliseconds since 1970 of `2012-10-06`, `2012-10-06 10:00:00` or `2012-10-06T10:00:00.123Z`;
  /// `nil` if it is not such a date.
  static func milliseconds(_ text: String) -> Int64? {
    var text = Substring(text)
    if text.hasSuffix("Z") { text.removeLast() }
    let halves = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0 == "T" })
    guard let date = halves.first, let days = days(date) else { return nil }
    guard halves.count > 1 else { return days * 86_400_000 }
    guard let time = timeOfDay(halves[1]) else { return nil }
    return days * 86_400_000 + time
  }

  private static func days(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2), year >= 1
    else { return nil }
    return CivilTime(year: Int32(year), month: Int32(month), day: Int32(day)).map {
      $0.utc.milliseconds / 86_400_000
    }
  }

  private static func timeOfDay(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let hour = digits(parts[0], 2), hour < 24,
      let minute = digits(parts[1], 2), minute < 60
    else { return nil }
    let upToMinute = (hour * 60 + minute) * 60_000
    guard parts.count == 3 else { return upToMinute }
    let halves = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count <= 2, let second = digits(halves[0], 2), second < 60 else { return nil }
    guard halves.count == 2 else { return upToMinute + second * 1000 }
    guard !halves[1].isEmpty, halves[1].count <= 9,
      let fraction = digits((halves[1] + "00").prefix(3), 3)
    else { return nil }
    return upToMinute + second * 1000 + fraction
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int64? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
