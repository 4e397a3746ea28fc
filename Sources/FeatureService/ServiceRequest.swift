import TrackerCore
public import Wording

/// The parts of a request that the services use.
public struct ServiceRequest: Sendable, Equatable {
  public var method: String
  /// The path's parts, decoded: `["arcgis", "rest", "info"]`.
  public var path: [String]
  /// From the address and, for a POST, from the form in the body; the address takes precedence.
  var parameters: FormData
  /// The body, if it is JSON; `nil`: it is not.
  public private(set) var json: [UInt8]?
  /// The size of the body.
  var bodyBytes: Int
  /// The value of `X-Esri-Authorization` or `Authorization`, without `Bearer`.
  var bearer: String?
  /// The name and port by which the client knows this server.
  var host: String?
  /// How a browser knows its session: the value of the cookie `room`.
  public var session: String?
  /// What only a page of this server can send with a session: the value of `X-CSRF-Token`.
  public var csrf: String?
  /// Where a browser sends it from.
  public var source = Source()
  /// Of the pages for this client; `nil`: it has no preference.
  public var language: Language?
  /// The client's address; `nil` within a simulation.
  public var client: String?
  /// Why it cannot be carried out.
  var problem: ArcGISError?

  /// - Parameters:
  ///   - target: path and query, as in the first line of the request.
  ///   - type: the `Content-Type`; `nil` is taken for a form.
  public init(
    method: String, target: [UInt8], type: String?, body: [UInt8],
    bearer: String? = nil, host: String? = nil, language: Language? = nil, client: String? = nil
  ) {
    let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    path = target[..<question].split(separator: UInt8(ascii: "/")).map {
      String(decoding: FormData.decoded($0, plusIsSpace: false), as: UTF8.self)
    }
    bodyBytes = body.count
    parameters = FormData(target[question...].dropFirst())
    let kind = type?.lowercased()
    do throws(Multipart.FormatError) {
      if kind?.hasPrefix("application/x-www-form-urlencoded") ?? true {
        parameters.add(body)
      } else if kind?.hasPrefix("application/json") ?? false {
        json = body
      } else if let type, let multipart = try Multipart(type: type) {
        try multipart.add(body, to: &parameters)
      }
    } catch {
      problem = ArcGISError(
        code: 400, message: "The form cannot be read.", details: [error.detail])
    }
    if parameters.hasTooMany {
      problem = ArcGISError(
        code: 400, message: "The form cannot be read.",
        details: ["It has more than \(Bounds.formFields) fields."])
    }
    if let name = parameters.longField {
      problem = ArcGISError(
        code: 400, message: "The form cannot be read.",
        details: ["'\(name.prefix(40))' has more than \(Bounds.textBytes) bytes."])
    }
    self.method = method
    self.bearer = bearer
    self.host = host
    self.language = language
    self.client = client
  }

  /// The operation on a layer: `arcgis/rest/services/NAME/KIND/LAYER/OPERATION`.
  var operation: String? {
    path.count > 6 && path.starts(with: ["arcgis", "rest", "services"]) ? path[6] : nil
  }

  public var isEdit: Bool {
    isOwnersEdit || operation == "addFeatures" || operation == "applyEdits"
  }
  /// Whether it does nothing but what only a layer's owner may do.
  var isOwnersEdit: Bool { operation == "updateFeatures" || operation == "deleteFeatures" }
  /// Whether it is about the control room, which has telephone numbers.
  public var isRoom: Bool { path.first == "room" }
  /// Whether it is of a telephone's app.
  public var isPhone: Bool { path.first == "phone" }
  public var isQuery: Bool { operation == "query" }
  /// Whether it asks for a token or a session, for which a password is hashed.
  public var isLogin: Bool {
    if path == ["room", "login"] { return true }
    return ["tokens", "generateToken", "token"].contains(path.last) && path.first == "arcgis"
  }

  /// A parameter's text; an empty one counts as absent.
  public func text(_ name: String) -> String? {
    guard let text = parameters.text(name), !text.isEmpty else { return nil }
    return text
  }

  /// A parameter that is true or false.
  func flag(_ name: String, default other: Bool) throws(ArcGISError) -> Bool {
    switch text(name)?.lowercased() {
    case nil: return other
    case "true", "1": return true
    case "false", "0": return false
    default: throw .invalid(name, "It is neither true nor false.")
    }
  }

  /// A parameter that is a count.
  func count(_ name: String, default other: Int) throws(ArcGISError) -> Int {
    guard let text = text(name) else { return other }
    guard let number = Int(text.trimmed), number >= 0 else {
      throw .invalid(name, "It is not a whole number.")
    }
    return number
  }
}

extension ServiceRequest {
  /// What is known of the page that a request comes from.
  public struct Source: Sendable, Equatable {
    /// The page's origin; `nil`: no browser, or a page of this server that only reads.
    public var origin: String?
    /// Whether that is a page of another server, and none that may do everything.
    public var isForeign = false
    /// Whether it knows this server by another name than by what only this machine can have.
    public var isNamedElsewhere = false

    public init() {}
  }

  /// The name and port by which the client knows this server.
  public var hostName: String { host ?? "" }

  /// Whether the page is one of the server that the client asks, by whatever name and scheme.
  public var isOfSameHost: Bool {
    guard let origin = source.origin else { return true }
    return origin.split(separator: "/").last.map(String.init) == host
  }
}

/// The reply to a client.
public enum ServiceReply: Sendable, Equatable {
  /// - Parameter cookie: the value of Set-Cookie.
  case answer(
    status: Int32 = 200, type: String, body: [UInt8], retryAfterSeconds: Int64? = nil,
    cookie: String? = nil)
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
  static func html(
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
    guard case .answer(let status, let type, let body, _, let cookie) = self else { return self }
    return .answer(
      status: status, type: type, body: body, retryAfterSeconds: seconds, cookie: cookie)
  }

  func status(_ status: Int32) -> ServiceReply {
    guard case .answer(_, let type, let body, let seconds, let cookie) = self else { return self }
    return .answer(
      status: status, type: type, body: body, retryAfterSeconds: seconds, cookie: cookie)
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
