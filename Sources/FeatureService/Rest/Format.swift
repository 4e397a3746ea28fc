/// The format of an answer, from the parameter `f`.
enum Format: String, Sendable {
  case html, json, pjson, geojson

  /// - Throws: `ArcGISError` for an unknown one.
  init(_ request: ServiceRequest) throws(ArcGISError) {
    // ArcGIS answers in HTML by default.
    guard let text = request.text("f") else {
      self = .html
      return
    }
    guard let format = Format(rawValue: text.lowercased()) else {
      throw .invalid("f", "html, json, pjson and geojson are supported.")
    }
    self = format
  }

  func reply(_ body: JSON, title: String) -> ServiceReply {
    switch self {
    case .json: return .json(body)
    case .geojson: return .answer(type: "application/geo+json", body: body.bytes)
    case .pjson:
      return .answer(type: "text/plain; charset=utf-8", body: body.bytes.prettyJSON)
    case .html:
      let text = String(decoding: body.bytes.prettyJSON, as: UTF8.self)
      return .html(title: title, text: "<pre>\(HTMLText.escaped(text))</pre>")
    }
  }
}
