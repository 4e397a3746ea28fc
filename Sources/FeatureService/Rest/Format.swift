import TrackerCore
import Wording

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

  /// - Parameter about: what the page says about the answer.
  func reply(
    _ body: JSON, title: String, about: PagePhrase? = nil, language: Language? = nil
  ) -> ServiceReply {
    switch self {
    case .json: return .json(body)
    case .geojson: return .answer(type: "application/geo+json", body: body.bytes)
    case .pjson:
      return .answer(type: "text/plain; charset=utf-8", body: body.bytes.prettyJSON)
    case .html:
      let text = String(decoding: body.bytes.prettyJSON, as: UTF8.self)
      let phrases = [about, .json].compactMap { $0?.text(in: language ?? .english) }
      let head = phrases.map { "<p>\(HTMLText.escaped($0))</p>" }.joined()
      return .html(
        title: title, text: "\(head)<pre>\(HTMLText.escaped(text))</pre>", language: language)
    }
  }
}
