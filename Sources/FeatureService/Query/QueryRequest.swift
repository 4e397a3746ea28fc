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
  var fields: [Field]
  var returnsGeometry: Bool
  /// `nil` if not specified: the layer's own, or degrees in GeoJSON.
  var projection: Projection?
  /// SQL that was generated here.
  var order: String
  var offset = 0
  /// The largest number of features in an answer.
  var limit: Int

  init(
    _ request: ServiceRequest, layer: Layer, maximumRecords: Int
  ) throws(ArcGISError) {
    try Self.refuseUnknown(request)
    fields = try Self.fields(request.text("outFields"), layer)
    returnsGeometry = try request.flag("returnGeometry", default: true)
    projection = try Self.projection(request.text("outSR"), "outSR")
    order = try Self.order(request.text("orderByFields"), layer)
    offset = try request.count("resultOffset", default: 0)
    limit = min(try request.count("resultRecordCount", default: maximumRecords), maximumRecords)
    if limit == 0 { limit = maximumRecords }
    conditions = try Self.conditions(request, layer)
    wanted = try Self.wanted(request)
  }

  private static func wanted(_ request: ServiceRequest) throws(ArcGISError) -> Wanted {
    let wantsCount = try request.flag("returnCountOnly", default: false)
    if try request.flag("returnExtentOnly", default: false) {
      return .extent(withCount: wantsCount)
    }
    if wantsCount { return .count }
    return try request.flag("returnIdsOnly", default: false) ? .objectIDs : .features
  }

  /// Refuses parameters that are not supported, because ignoring one would give a wrong answer.
  private static func refuseUnknown(_ request: ServiceRequest) throws(ArcGISError) {
    for name in [
      "outStatistics", "groupByFieldsForStatistics", "having", "time", "relationParam", "text",
      "quantizationParameters",
    ] where request.text(name) != nil {
      throw .invalid(name, "It is not supported here.")
    }
    if try request.flag("returnDistinctValues", default: false) {
      throw .invalid("returnDistinctValues", "It is not supported here.")
    }
  }

  private static func fields(_ text: String?, _ layer: Layer) throws(ArcGISError) -> [Field] {
    // Without `outFields` ArcGIS returns only the object IDs.
    guard let text else { return layer.fields.filter { $0.kind == .objectID } }
    if text == "*" { return layer.fields }
    var fields: [Field] = []
    for name in text.split(separator: ",") {
      let name = name.trimmed
      if name == "*" { return layer.fields }
      guard let field = layer.field(name) else {
        throw .invalid("outFields", "'\(name.prefix(40))' is not a field of \(layer.name).")
      }
      if !fields.contains(field) { fields.append(field) }
    }
    return fields
  }

  private static func order(_ text: String?, _ layer: Layer) throws(ArcGISError) -> String {
    // Paging needs a stable order, so the object id comes last.
    guard let text else { return "\"\(layer.objectIDField)\"" }
    var parts: [String] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      let direction = words.count > 1 ? words[1].uppercased() : "ASC"
      guard let name = words.first, words.count <= 2, ["ASC", "DESC"].contains(direction),
        let field = layer.field(name)
      else {
        throw .invalid("orderByFields", "'\(part.prefix(40))' is not a field with ASC or DESC.")
      }
      parts.append("\"\(field.name)\" \(direction)")
      guard parts.count <= layer.fields.count else {
        throw .invalid("orderByFields", "It names a field twice.")
      }
    }
    return (parts + ["\"\(layer.objectIDField)\""]).joined(separator: ", ")
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
      conditions.append(
        WhereClause(
          sql: "\"\(layer.objectIDField)\" IN (SELECT value FROM json_each(?))",
          values: [.text("[\(numbers.joined(separator: ","))]")]))
    }
    if let condition = try Envelope.condition(request, layer) { conditions.append(condition) }
    // ArcGIS requires a condition, even for everything: where=1=1.
    if conditions.isEmpty { throw .query("'where' parameter not specified") }
    return conditions
  }

  /// A spatial reference: its number, or Esri's object with `wkid`.
  static func projection(_ text: String?, _ name: String) throws(ArcGISError) -> Projection? {
    guard let text else { return nil }
    // {"wkid":4326} and {"wkid":102100,"latestWkid":3857}: the first number is enough.
    let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber }
    guard let wkid = Int64(digits), let projection = Projection(wkid: wkid) else {
      throw .invalid(name, "4326 and 102100 (3857) are supported.")
    }
    return projection
  }
}

extension StringProtocol {
  /// Without the spaces around it.
  var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
