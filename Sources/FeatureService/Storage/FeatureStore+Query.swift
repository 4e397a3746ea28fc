import SQL
import TrackerCore

extension FeatureStore {
  /// Calls `visit` for each row.
  ///
  /// - Parameters:
  ///   - columns: SQL that was generated here.
  ///   - grouping: the same, for rows that are not features.
  private func read(
    _ columns: String, _ query: QueryRequest, _ layer: Layer, limit: Int?, grouping: String = "",
    _ visit: (any SQLStatement) throws -> Void
  ) throws {
    // Without conditions there is no WHERE clause, which is best for the query planner.
    let conditions = query.conditions.map { "(\($0.sql))" }.joined(separator: " AND ")
    var sql = "SELECT \(columns) FROM \(layer.table)"
    if !conditions.isEmpty { sql += " WHERE \(conditions)" }
    sql += grouping
    if limit != nil { sql += " ORDER BY \(query.order) LIMIT ? OFFSET ?" }
    let values = query.conditions.flatMap(\.values)
    try withReader(of: layer) { database in
      let statement: any SQLStatement
      do {
        statement = try database.prepare(sql)
      } catch {
        // The generated SQL is valid: an engine only refuses it if it is too deep or too long.
        throw ArcGISError.query("The where clause is too complex.")
      }
      var place: Int32 = 1
      for value in values {
        try statement.bind(value, at: place)
        place += 1
      }
      if let limit {
        try statement.bind(Int64(limit), at: place)
        try statement.bind(Int64(query.offset), at: place + 1)
      }
      do { while try statement.step() { try visit(statement) } } catch let error as SQLError
        where error.kind == .other && database.dialect == .postgreSQL
      {
        // A server compiles it only now, and does not compare texts with numbers.
        throw ArcGISError.query("The where clause is too complex, or compares different kinds.")
      }
    }
  }

  /// The number of captures, and of different identifiers.
  func tally() throws -> (features: Int, captures: Int) {
    try withEngine { engine in
      let row = try engine.database.prepare("SELECT count(*), count(DISTINCT UUID) FROM capture")
      _ = try row.step()
      return (Int(row.integer(0)), Int(row.integer(1)))
    }
  }

  func count(_ query: QueryRequest, _ layer: Layer) throws -> Int64 {
    var count: Int64 = 0
    if let grouping = query.grouping {
      try read("count(*)", query, layer, limit: nil, grouping: grouping.clause) { _ in count += 1 }
    } else {
      try read("count(*)", query, layer, limit: nil) { count = $0.integer(0) }
    }
    return count
  }

  /// Replaces the shape of a query by the features that match it, so that all else can be left to
  /// SQL.
  ///
  /// - Throws: `ArcGISError` if that takes too long.
  func resolvingShape(_ query: QueryRequest, _ layer: Layer) throws -> QueryRequest {
    guard let shape = query.shape else { return query }
    guard let geometry = layer.geometryColumns else { return query }
    var numbers: [String] = []
    var work = 0
    try read("\"\(layer.objectIDField)\", \(geometry)", query, layer, limit: nil) { row in
      let path =
        layer.geometry == .point
        ? [Place(x: row.double(1), y: row.double(2))] : LinePath.places(row.text(1))
      work += shape.work(path.count)
      guard work <= Bounds.filterWork else {
        throw ArcGISError.invalid("geometry", "It has too many positions for so many features.")
      }
      if shape.matches(path) { numbers.append(String(row.integer(0))) }
    }
    var resolved = query
    resolved.shape = nil
    resolved.conditions.append(.objects(numbers, layer))
    return resolved
  }

  /// The rectangle around the features that the query finds; `nil` if none has a geometry.
  func extent(_ query: QueryRequest, _ layer: Layer) throws -> MapBox? {
    let columns: String
    switch layer.geometry {
    case .point: columns = "min(x), min(y), max(x), max(y)"
    case .line: columns = "min(west), min(south), max(east), max(north)"
    case nil: return nil
    }
    var extent: MapBox?
    try read(columns, query, layer, limit: nil) { row in
      if row.isNull(0) { return }
      extent = MapBox(
        low: Place(x: row.double(0), y: row.double(1)),
        high: Place(x: row.double(2), y: row.double(3)))
    }
    return extent
  }

  /// Where and when the features of a layer are, in its description. Of a layer with many captures
  /// it is up to a minute old: to find it out takes a look at each of them, and all trackers of a
  /// race ask for it when they come back.
  func reach(_ layer: Layer, at uptime: Milliseconds) throws -> LayerReach {
    if let known = reaches.withLock({ $0[layer.table] }), uptime - known.at < Bounds.reachLife {
      return known.reach
    }
    let reach = LayerReach(
      extent: try extent(QueryRequest(everythingIn: layer), layer), times: try times(layer))
    if layer.geometry == .point, try newest(layer) >= Bounds.smallLayer {
      reaches.withLock { $0[layer.table] = (reach, uptime) }
    }
    return reach
  }

  /// The number of the newest object.
  private func newest(_ layer: Layer) throws -> Int64 {
    var number: Int64 = 0
    try withReader(of: layer) { database in
      number = try database.integer("SELECT max(OBJECTID) FROM \(layer.table)") ?? 0
    }
    return number
  }

  /// The earliest and the latest time of a layer; `nil` if it has none.
  private func times(_ layer: Layer) throws -> (first: Int64, last: Int64)? {
    guard let field = layer.timeField else { return nil }
    var times: (first: Int64, last: Int64)?
    try withReader(of: layer) { database in
      let row = try database.prepare(
        "SELECT min(\"\(field)\"), max(\"\(field)\") FROM \(layer.table)")
      _ = try row.step()
      if !row.isNull(0) { times = (row.integer(0), row.integer(1)) }
    }
    return times
  }

  /// The ids of all objects that the query finds, without a limit, as in ArcGIS.
  func objectIDs(_ query: QueryRequest, _ layer: Layer) throws -> [Int64] {
    var numbers: [Int64] = []
    try read("\"\(layer.objectIDField)\"", query, layer, limit: .max) {
      numbers.append($0.integer(0))
    }
    return numbers
  }

  /// Writes the features that the query finds, separated by commas.
  ///
  /// - Parameter write: appends one feature.
  /// - Returns: whether there are more than the query's limit.
  func features(
    _ query: QueryRequest, _ layer: Layer, into bytes: inout [UInt8],
    _ write: (any SQLStatement, inout [UInt8]) -> Void
  ) throws -> Bool {
    // The object id and the geometry come after the fields.
    let names = query.fields.map { "\"\($0.name)\"" } + ["\"\(layer.objectIDField)\""]
    let columns = names + [layer.geometryColumns].compactMap { $0 }
    return try list(
      columns.joined(separator: ", "), query, layer, grouping: "", into: &bytes, write)
  }

  /// Writes the rows of a grouping, in the same way.
  func groups(
    _ query: QueryRequest, _ grouping: Grouping, _ layer: Layer, into bytes: inout [UInt8],
    _ write: (any SQLStatement, inout [UInt8]) -> Void
  ) throws -> Bool {
    try list(grouping.selection, query, layer, grouping: grouping.clause, into: &bytes, write)
  }

  private func list(
    _ columns: String, _ query: QueryRequest, _ layer: Layer, grouping: String,
    into bytes: inout [UInt8], _ write: (any SQLStatement, inout [UInt8]) -> Void
  ) throws -> Bool {
    var count = 0
    // One more than requested, to find out whether there are more.
    try read(columns, query, layer, limit: query.limit + 1, grouping: grouping) { row in
      count += 1
      guard count <= query.limit else { return }
      if count > 1 { bytes.append(UInt8(ascii: ",")) }
      write(row, &bytes)
    }
    return count > query.limit
  }
}

/// Where the features of a layer are, and from when to when; `nil` if none has that.
struct LayerReach: Sendable {
  var extent: MapBox?
  var times: (first: Int64, last: Int64)?
}

extension QueryRequest {
  /// A query for a whole layer.
  fileprivate init(everythingIn layer: Layer) {
    fields = []
    returnsGeometry = true
    order = "\"\(layer.objectIDField)\""
    limit = 1
  }
}
