/// The reply to a client.
public enum ServiceReply: Sendable, Equatable {
  case answer(status: Int32 = 200, type: String, body: [UInt8], retryAfterSeconds: Int64? = nil)
  /// The connection is closed before the answer is complete.
  case hangUp
  /// The connection is reset.
  case reset
  /// No answer, for as long as the client waits.
  case silence

  static func json(_ body: JSON) -> ServiceReply {
    .answer(type: "application/json; charset=utf-8", body: body.bytes)
  }

  public static func html(status: Int32 = 200, title: String, text: String) -> ServiceReply {
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
