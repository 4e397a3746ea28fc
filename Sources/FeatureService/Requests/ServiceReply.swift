import TrackerCore
import Wording

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

  /// A page.
  ///
  /// - Parameters:
  ///   - text: HTML.
  ///   - language: of the text; `nil`: English, for a client that has no preference.
  public static func html(
    status: Int32 = 200, title: String, text: String, language: Language?
  ) -> ServiceReply {
    let head =
      "<head><meta charset=\"utf-8\">"
      + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      + "<title>\(HTMLText.escaped(title))</title></head>"
    let mark = " lang=\"\((language ?? .english).code)\""
    return .answer(
      status: status, type: "text/html; charset=utf-8",
      body: Array("<!DOCTYPE html>\n<html\(mark)>\(head)<body>\(text)</body></html>\n".utf8))
  }

  /// The same, to be repeated after so many seconds.
  public func after(_ seconds: Int64) -> ServiceReply {
    guard case .answer(let status, let type, let body, _) = self else { return self }
    return .answer(status: status, type: type, body: body, retryAfterSeconds: seconds)
  }

  /// A page of one sentence.
  public static func page(
    status: Int32 = 200, title: String, _ phrase: PagePhrase, _ arguments: String...,
    language: Language?
  ) -> ServiceReply {
    .html(
      status: status, title: title,
      text: HTMLText.escaped(phrase.text(in: language ?? .english, filling: arguments)),
      language: language)
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
