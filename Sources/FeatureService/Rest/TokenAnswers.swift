import TrackerCore

/// The answers to requests for tokens.
struct TokenAnswers {
  /// `nil`: no tokens are needed.
  var tokens: Tokens?
  /// Whether tokens are only sent over TLS.
  var isSecure: Bool

  /// `generateToken` of ArcGIS Server; the expiry is in milliseconds since 1970.
  func token(_ request: ServiceRequest, at time: HostTime) throws(ArcGISError) -> JSON {
    guard let tokens else {
      throw ArcGISError(code: 400, message: "This server does not need tokens.")
    }
    guard request.method == "POST" else {
      throw ArcGISError(code: 405, message: "generateToken needs the method POST.")
    }
    var life: Milliseconds?
    if let text = request.text("expiration") {
      guard let minutes = Int64(text.trimmed), minutes > 0, minutes <= 1_000_000 else {
        throw .invalid("expiration", "It is not a whole number of minutes.")
      }
      life = .minutes(minutes)
    }
    let made = tokens.make(
      user: request.text("username") ?? "", password: request.text("password") ?? "",
      life: life, at: time.uptime)
    guard let made else {
      throw ArcGISError(
        code: 400, message: "Unable to generate token.", details: ["Invalid username or password."])
    }
    return [
      "token": .text(made.token), "expires": .integer((time.utc + made.life).milliseconds),
      "ssl": .boolean(isSecure),
    ]
  }

  /// An app's token (OAuth 2.0 client credentials); the lifetime is in seconds.
  func appToken(_ request: ServiceRequest, at time: HostTime) -> ServiceReply {
    let made =
      request.method == "POST" && request.text("grant_type") == "client_credentials"
      ? tokens?.make(
        user: request.text("client_id") ?? "", password: request.text("client_secret") ?? "",
        life: request.text("expiration").flatMap { Int64($0.prefix(6)) }.map { .minutes($0) },
        at: time.uptime)
      : nil
    guard let made else {
      return .json([
        "error": [
          "code": 400, "error": "invalid_client_id", "error_description": "Invalid client_id",
          "message": "Invalid client_id", "details": [],
        ]
      ])
    }
    return .json([
      "access_token": .text(made.token), "expires_in": .integer(made.life.count / 1000),
    ])
  }
}
