import Uplink

extension FeatureLayer {
  /// Esri REST, "Query (Feature Service/Layer)", of which trackers use `where FIELD IN ('…','…')`,
  /// with the place in Web Mercator or without. Anything else is refused: half an answer would be a
  /// wrong one.
  func query(_ form: RequestForm) throws(ServiceError) -> [UInt8] {
    let hasPlace = try form.flag("returnGeometry", default: true)
    guard !hasPlace || form.text("outSR") == "102100" else { throw .invalid("outSR") }
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
    return answer(places, wanted, hasPlace: hasPlace)
  }

  private func outFields(_ text: String?) throws(ServiceError) -> [Field] {
    // Without a interest ArcGIS gives the objects' numbers alone.
    var wanted: [Field] = []
    for name in (text ?? "OBJECTID").split(separator: ",") {
      guard let field = field(name) else { throw .invalid("outFields") }
      switch field.kind {
      case .objectID, .globalID: wanted.append(field)
      default:
        // The others are not kept.
        guard ["UUID", "CodiEquip", "Entrada"].contains(field.name) else {
          throw .invalid("outFields")
        }
        wanted.append(field)
      }
    }
    return wanted
  }

  private func answer(_ places: [Int], _ wanted: [Field], hasPlace: Bool) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.key("objectIdFieldName")
      text.string("OBJECTID")
      text.key("globalIdFieldName")
      text.string(model.takesGlobalIDs ? "GlobalID" : "")
      if hasPlace {
        text.key("geometryType")
        text.string("esriGeometryPoint")
        text.key("spatialReference")
        text.object { text in
          text.key("wkid")
          text.integer(102_100)
          text.key("latestWkid")
          text.integer(3857)
        }
      }
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
        for place in places.prefix(Self.recordLimit) { write(place, wanted, hasPlace, to: &text) }
      }
    }
    return text.bytes
  }

  private func write(
    _ place: Int, _ wanted: [Field], _ hasPlace: Bool, to text: inout JSONText
  ) {
    let row = rows[place - 1]
    text.object { text in
      text.key("attributes")
      text.object { text in
        for field in wanted {
          text.key(field.name)
          switch field.kind {
          case .objectID: text.integer(place)
          case .globalID: text.string(row.globalID)
          case .date: if let time = row.time { text.integer(time) } else { text.null() }
          case .text, .number:
            let value = field.name == "UUID" ? row.identifier : row.device
            if let value { text.string(value) } else { text.null() }
          }
        }
      }
      guard hasPlace else { return }
      text.key("geometry")
      text.object { text in
        text.key("x")
        text.decimal(Int64((row.x * 10_000).rounded()), places: 4)
        text.key("y")
        text.decimal(Int64((row.y * 10_000).rounded()), places: 4)
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
