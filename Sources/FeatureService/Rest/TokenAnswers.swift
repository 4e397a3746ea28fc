import TrackerCore

/// The answers to requests for tokens.
struct TokenAnswers {
  /// `nil`: no tokens are needed.
  var tokens: Tokens?
  /// Whether tokens are only sent over TLS.
  var isSecure: Bool

  /// Counts a try of a password, from a client that has an address.
  ///
  /// - Parameter user: the parameter with the name.
  /// - Returns: the refusal, if there were too many; `nil`: the request may be answered.
  func begin(_ request: ServiceRequest, _ user: String, at time: HostTime) -> ServiceReply? {
    guard request.method == "POST", let client = request.client,
      let wait = tokens?.tries.begin(client, as: Self.name(request, user), at: time.uptime)
    else { return nil }
    let seconds = (wait.count + 999) / 1000
    let error = ArcGISError(
      code: 429, message: "Too many wrong passwords.", details: ["Try again in \(seconds) s."])
    return .answer(
      status: 429, type: "application/json; charset=utf-8", body: error.body.bytes,
      retryAfterSeconds: seconds)
  }

  /// A token, if name and password are right.
  private func make(
    _ request: ServiceRequest, _ user: String, _ password: String, life: Milliseconds?,
    at time: HostTime
  ) -> (token: String, life: Milliseconds)? {
    let made = tokens?.make(
      user: request.text(user) ?? "", password: request.text(password) ?? "", life: life,
      at: time.uptime)
    if made != nil, let client = request.client {
      tokens?.tries.succeed(client, as: Self.name(request, user), at: time.uptime)
    }
    return made
  }

  /// The part of a name that tries are counted by.
  private static func name(_ request: ServiceRequest, _ parameter: String) -> String {
    String((request.text(parameter) ?? "").prefix(100))
  }

  /// `generateToken` of ArcGIS Server; the expiry is in milliseconds since 1970.
  func token(_ request: ServiceRequest, at time: HostTime) throws(ArcGISError) -> JSON {
    guard tokens != nil else {
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
    guard let made = make(request, "username", "password", life: life, at: time) else {
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
      ? make(
        request, "client_id", "client_secret",
        life: request.text("expiration").flatMap { Int64($0.prefix(6)) }.map { .minutes($0) },
        at: time)
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
