import Uplink

extension FeatureLayer {
  /// Esri REST, "Query (Feature Service/Layer)", of which trackers use `where FIELD IN ('…','…')`
  /// without geometry. Anything else is refused: half an answer would be a wrong one.
  func query(_ form: RequestForm) throws(ServiceError) -> [UInt8] {
    guard try form.flag("returnGeometry", default: true) == false else {
      throw .invalid("returnGeometry")
    }
    guard let condition = form.text("where"), let (field, values) = Self.members(condition),
      field.lowercased() == "uuid" || model.takesGlobalIDs && field.lowercased() == "globalid"
    else {
      throw ServiceError(
        code: 400, message: "Unable to complete operation.",
        details: ["Unable to perform query operation."])
    }
    let wanted = try outFields(form.text("outFields"))
    let places = Set(
      values.flatMap { value -> [Int] in
        if field.lowercased() == "uuid" { return placesByIdentifier[value] ?? [] }
        return Self.normalGlobalID(value).flatMap { placesByGlobalID[$0] }.map { [$0] } ?? []
      }
    ).sorted()
    return answer(places, wanted)
  }

  private func outFields(_ text: String?) throws(ServiceError) -> [Field] {
    // Without a wish ArcGIS gives the objects' numbers alone.
    var wanted: [Field] = []
    for name in (text ?? "OBJECTID").split(separator: ",") {
      guard let field = field(name) else { throw .invalid("outFields") }
      switch field.kind {
      case .objectID, .globalID: wanted.append(field)
      default:
        // The others are not kept, but for the identifier.
        guard field.name == "UUID" else { throw .invalid("outFields") }
        wanted.append(field)
      }
    }
    return wanted
  }

  private func answer(_ places: [Int], _ wanted: [Field]) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.key("objectIdFieldName")
      text.string("OBJECTID")
      text.key("globalIdFieldName")
      text.string(model.takesGlobalIDs ? "GlobalID" : "")
      text.key("fields")
      text.array { text in
        for field in wanted { field.describe(to: &text) }
      }
      if places.count > Self.recordLimit {
        text.key("exceededTransferLimit")
        text.boolean(true)
      }
      text.key("features")
      text.array { text in
        for place in places.prefix(Self.recordLimit) { write(place, wanted, to: &text) }
      }
    }
    return text.bytes
  }

  private func write(_ place: Int, _ wanted: [Field], to text: inout JSONText) {
    text.object { text in
      text.key("attributes")
      text.object { text in
        for field in wanted {
          text.key(field.name)
          switch field.kind {
          case .objectID: text.integer(place)
          case .globalID: text.string(rows[place - 1].globalID)
          case .text, .number, .date: text.string(rows[place - 1].identifier)
          }
        }
      }
    }
  }

  /// Reads `FIELD IN ('one','another')`; a quote within a value is written twice (SQL-92).
  static func members(_ condition: String) -> (field: String, values: [String])? {
    guard let open = condition.firstIndex(of: "("), condition.last == ")" else { return nil }
    let head = condition[..<open].split(separator: " ")
    guard head.count == 2, head[1].uppercased() == "IN" else { return nil }
    var values: [String] = []
    var rest = condition[condition.index(after: open)...].dropLast()
    while true {
      rest = rest.drop { $0 == " " }
      guard rest.popFirst() == "'" else { return nil }
      var value = ""
      while true {
        guard let next = rest.popFirst() else { return nil }
        if next != "'" {
          value.append(next)
        } else if rest.first == "'" {
          value.append("'")
          rest.removeFirst()
        } else {
          break
        }
      }
      values.append(value)
      rest = rest.drop { $0 == " " }
      guard let separator = rest.popFirst() else { return (String(head[0]), values) }
      guard separator == "," else { return nil }
    }
  }
}
