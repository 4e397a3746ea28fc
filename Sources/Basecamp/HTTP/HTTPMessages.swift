/// A request, as far as the services look at it.
struct HTTPRequest: Sendable {
  var method: String
  /// The path's parts, decoded: `["arcgis", "rest", "info"]`.
  var path: [String]
  /// From the address and, for a POST, from the form in the body; the address wins.
  var parameters: FormData
  /// What came in `X-Esri-Authorization` or `Authorization`, without the word `Bearer`.
  var bearer: String?
  /// The name and port by which the client knows this server.
  var host: String?

  /// A parameter's text; empty is as good as absent.
  func text(_ name: String) -> String? {
    guard let text = parameters.text(name), !text.isEmpty else { return nil }
    return text
  }
}

/// What goes back to the client.
enum HTTPReply: Sendable {
  case answer(status: UInt32 = 200, type: String, body: [UInt8], retryAfterSeconds: Int? = nil)
  /// Closes the connection without a word.
  case hangUp
  /// Resets the connection.
  case reset

  static func html(status: UInt32 = 200, title: String, text: String) -> HTTPReply {
    let title = HTMLText.escaped(title)
    return .answer(
      status: status, type: "text/html; charset=utf-8",
      body: Array("<html><head><title>\(title)</title></head><body>\(text)</body></html>\n".utf8))
  }
}

/// Text within an HTML page.
enum HTMLText {
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
