/// A client's query of a layer.
struct QueryRequest: Sendable {
  enum Wanted: Sendable, Equatable {
    case features
    case objectIDs
    case count
    case extent(withCount: Bool)
  }

  var wanted = Wanted.features
  var conditions: [WhereClause] = []
  /// What the database cannot decide: features are compared with it one by one.
  var shape: FilterShape?
  var fields: [Field]
  /// Rows that are not features, if these are wanted.
  var grouping: Grouping?
  var returnsGeometry: Bool
  /// Digits after the point of a coordinate; `nil`: all that there are.
  var decimals: Int?
  /// `nil` if not specified: the layer's own, or degrees in GeoJSON.
  var projection: Projection?
  /// SQL that was generated here.
  var order: String
  var offset = 0
  /// The largest number of features in an answer.
  var limit: Int
  /// Whether an answer of more features than that has the first ones, or none.
  var returnsExceeded = true

  /// - Parameter systems: what the host knows beyond degrees and Web Mercator.
  init(
    _ request: ServiceRequest, layer: Layer, maximumRecords: Int,
    systems: (any CoordinateSystems)?
  ) throws(ArcGISError) {
    try QueryParameters.check(request)
    // Without `outFields` ArcGIS returns only the object IDs.
    fields =
      try request.text("outFields").map { text throws(ArcGISError) in
        try Self.fields(text, "outFields", layer)
      } ?? layer.fields.filter { $0.kind == .objectID }
    grouping = try Grouping(request, outFields: fields, layer)
    returnsGeometry = try request.flag("returnGeometry", default: true) && grouping == nil
    if request.text("geometryPrecision") != nil {
      decimals = min(try request.count("geometryPrecision", default: 0), 15)
    }
    projection = try Self.projection(request, "outSR", systems)
    order = try Self.order(request.text("orderByFields"), layer, grouping)
    returnsExceeded = try request.flag("returnExceededLimitFeatures", default: true)
    offset = try request.count("resultOffset", default: 0)
    limit = min(try request.count("resultRecordCount", default: maximumRecords), maximumRecords)
    if limit == 0 { limit = maximumRecords }
    conditions = try Self.conditions(request, layer)
    if let filter = try GeometryFilter(request, systems) {
      conditions.append(filter.box.condition(layer))
      shape = filter.shape
    }
    // ArcGIS requires a condition, even for everything: where=1=1.
    if conditions.isEmpty { throw .query("'where' parameter not specified") }
    wanted = try Self.wanted(request)
    if grouping != nil, wanted != .features, wanted != .count {
      throw .invalid("outStatistics", "Only its rows and their number can be asked for.")
    }
  }

  private static func wanted(_ request: ServiceRequest) throws(ArcGISError) -> Wanted {
    let wantsCount = try request.flag("returnCountOnly", default: false)
    if try request.flag("returnExtentOnly", default: false) {
      return .extent(withCount: wantsCount)
    }
    if wantsCount { return .count }
    return try request.flag("returnIdsOnly", default: false) ? .objectIDs : .features
  }

  /// A list of a layer's fields, separated by commas; `*` stands for all.
  static func fields(
    _ text: String, _ parameter: String, _ layer: Layer
  ) throws(ArcGISError) -> [Field] {
    var fields: [Field] = []
    for name in text.split(separator: ",") {
      let name = name.trimmed
      if name == "*" { return layer.fields }
      guard let field = layer.field(name) else {
        throw .invalid(parameter, "'\(name.prefix(40))' is not a field of \(layer.name).")
      }
      if !fields.contains(field) { fields.append(field) }
    }
    return fields
  }

  private static func order(
    _ text: String?, _ layer: Layer, _ grouping: Grouping?
  ) throws(ArcGISError) -> String {
    // Paging needs a stable order, so what distinguishes rows comes last.
    let last =
      grouping.map { group in group.fields.indices.map { "\($0 + 1)" } }
      ?? ["\"\(layer.objectIDField)\""]
    guard let text else { return last.isEmpty ? "1" : last.joined(separator: ", ") }
    var parts: [String] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      let direction = words.count > 1 ? words[1].uppercased() : "ASC"
      let column = words.first.flatMap { name in
        grouping.map { $0.place(of: name).map { "\($0)" } }
          ?? layer.field(name).map { "\"\($0.name)\"" }
      }
      guard let column, words.count <= 2, ["ASC", "DESC"].contains(direction) else {
        throw .invalid("orderByFields", "'\(part.prefix(40))' is not a field with ASC or DESC.")
      }
      // As in SQLite; a number of an object is never null, and has an index in this order.
      let isNullable = column != "\"\(layer.objectIDField)\""
      let nulls = direction == "ASC" ? " NULLS FIRST" : " NULLS LAST"
      parts.append("\(column) \(direction)\(isNullable ? nulls : "")")
      guard parts.count <= layer.fields.count + Bounds.statistics else {
        throw .invalid("orderByFields", "It names a field twice.")
      }
    }
    return (parts + last).joined(separator: ", ")
  }

  private static func conditions(
    _ request: ServiceRequest, _ layer: Layer
  ) throws(ArcGISError) -> [WhereClause] {
    var conditions: [WhereClause] = []
    if let text = request.text("where") {
      conditions.append(try WhereClause(text, layer: layer))
    }
    if let text = request.text("objectIds") {
      var numbers: [String] = []
      for part in text.split(separator: ",") {
        guard let number = Int64(part.trimmed) else {
          throw .invalid("objectIds", "'\(part.prefix(40))' is not a whole number.")
        }
        numbers.append(String(number))
      }
      guard numbers.count <= Bounds.objectIDs else {
        throw .invalid("objectIds", "More than \(Bounds.objectIDs) at a time.")
      }
      conditions.append(.objects(numbers, layer))
    }
    if let condition = try TimeFilter.condition(request, layer) { conditions.append(condition) }
    return conditions
  }

  /// The coordinate system in a parameter, else in `defaultSR`; `nil` if neither is given.
  static func projection(
    _ request: ServiceRequest, _ name: String, _ systems: (any CoordinateSystems)?
  ) throws(ArcGISError) -> Projection? {
    guard let text = request.text(name) ?? request.text("defaultSR") else { return nil }
    guard let reference = SpatialReference(parameter: text) else {
      throw .invalid(name, "Give a wkid, or an object with wkid, latestWkid or wkt.")
    }
    guard let projection = reference.projection(systems) else {
      throw .invalid(name, "The spatial reference \(reference.summary) is not known here.")
    }
    return projection
  }
}

extension StringProtocol {
  /// Without the spaces around it.
  var trimmed: String {
    // Most have none.
    let isPlain = { (scalar: Unicode.Scalar) in ("!"..."~").contains(scalar) }
    if let first = unicodeScalars.first, let last = unicodeScalars.last, isPlain(first),
      isPlain(last)
    {
      return String(self)
    }
    return String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// What a query may ask for beyond what is implemented here.
enum QueryParameters {
  /// Those that would change the answer: refused, because ignoring one would give a wrong answer.
  static let refused = [
    "having", "relationParam", "text", "fullText", "quantizationParameters", "historicMoment",
    "datumTransformation", "rangeValues", "parameterValues", "uniqueIds", "collation", "callback",
    "multipatchOption",
  ]

  /// Those that would change the answer if they are true.
  static let refusedIfTrue = [
    "returnCentroid", "returnEnvelope", "returnUniqueIdsOnly", "returnQueryGeometry",
  ]

  /// Those that do not change what is in the answer: hints about formats, pages and caches, and
  /// what these layers do not have (heights, measures, curves, versions). Every line has all its
  /// positions, which any `maxAllowableOffset` allows. The service reads none of them.
  static let ignored = [
    "resultType", "cacheHint", "sqlFormat", "maxRecordCountFactor", "maxAllowableOffset",
    "returnZ", "returnM", "returnTrueCurves", "gdbVersion", "timeReferenceUnknownClient",
    "returnFullTextScore", "featureEncoding",
  ]

  static func check(_ request: ServiceRequest) throws(ArcGISError) {
    for name in refused where request.text(name) != nil {
      throw .invalid(name, "It is not supported here.")
    }
    for name in refusedIfTrue where try request.flag(name, default: false) {
      throw .invalid(name, "It is not supported here.")
    }
  }
}
