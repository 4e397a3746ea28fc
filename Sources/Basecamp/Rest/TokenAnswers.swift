/// The answers to those who ask for a token.
enum TokenAnswers {
  /// `generateToken` of ArcGIS Server: the end of its life in milliseconds since 1970.
  static func token(_ request: HTTPRequest, _ tokens: Tokens?) throws(ArcGISError) -> JSON {
    guard let tokens else {
      throw ArcGISError(code: 400, message: "This server needs no token.")
    }
    guard request.method == "POST" else {
      throw ArcGISError(code: 405, message: "generateToken needs the method POST.")
    }
    var seconds: Int?
    if let text = request.text("expiration") {
      guard let minutes = Int(text.trimmed), minutes > 0, minutes <= 1_000_000 else {
        throw .invalid("expiration", "It is no whole number of minutes.")
      }
      seconds = minutes * 60
    }
    let made = tokens.make(
      user: request.text("username") ?? "", password: request.text("password") ?? "",
      seconds: seconds)
    guard let made else {
      throw ArcGISError(
        code: 400, message: "Unable to generate token.", details: ["Invalid username or password."])
    }
    return [
      "token": .text(made.token),
      "expires": .integer(wallMilliseconds() + Int64(made.seconds) * 1000), "ssl": false,
    ]
  }

  /// An app's token (OAuth 2.0 client credentials): its life in seconds.
  static func appToken(_ request: HTTPRequest, _ tokens: Tokens?) -> HTTPReply {
    let made =
      request.method == "POST" && request.text("grant_type") == "client_credentials"
      ? tokens?.make(
        user: request.text("client_id") ?? "", password: request.text("client_secret") ?? "",
        seconds: request.text("expiration").flatMap { Int($0.prefix(6)) }.map { $0 * 60 })
      : nil
    guard let made else {
      let problem: JSON = [
        "error": [
          "code": 400, "error": "invalid_client_id", "error_description": "Invalid client_id",
          "message": "Invalid client_id", "details": [],
        ]
      ]
      return .answer(type: RestService.jsonType, body: problem.bytes)
    }
    let body: JSON = [
      "access_token": .text(made.token), "expires_in": .integer(Int64(made.seconds)),
    ]
    return .answer(type: RestService.jsonType, body: body.bytes)
  }
}
