import TrackerCore
import Uplink

/// Gives tokens to those who know the password, and knows its own again (Esri REST, "Generate
/// Token").
struct TokenDesk {
  static let user = "els-senglars"
  static let password = "not a secret: it opens a server in memory"

  private let life: Milliseconds
  private var generator: SeededGenerator
  private var token = ""
  private var endsAt = Instant.start

  init(life: Milliseconds, seed: UInt64) {
    self.life = life
    generator = SeededGenerator(seed: seed, stream: 102)
  }

  /// - Parameter utc: now, by which `expires` is reckoned.
  mutating func generate(
    _ form: RequestForm, at now: Instant, utc: UTC
  ) throws(ServiceError) -> [UInt8] {
    guard form.text("username") == Self.user, form.text("password") == Self.password else {
      throw ServiceError(
        code: 400, message: "Unable to generate token.", details: ["Invalid username or password."])
    }
    token = ""
    // As long as those of ArcGIS Server: some hundred characters.
    for _ in 0..<6 {
      let digits = String(generator.next(), radix: 16)
      token += String(repeating: "0", count: 16 - digits.count) + digits
    }
    endsAt = now + life
    var text = JSONText()
    text.object { text in
      text.key("token")
      text.string(token)
      text.key("expires")
      text.integer((utc + life).milliseconds)
      text.key("ssl")
      text.boolean(true)
    }
    return text.bytes
  }

  /// - Throws: that there is no token, or that it is not valid any more.
  func check(_ form: RequestForm, at now: Instant) throws(ServiceError) {
    guard let given = form.text("token") else {
      throw ServiceError(code: 499, message: "Token Required")
    }
    guard given == token, now < endsAt else { throw .invalidToken }
  }
}
