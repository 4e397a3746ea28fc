import FeatureService

extension Credentials {
  /// Reads the password from the first line of a file that no other user can read.
  ///
  /// - Throws: `ServiceError`.
  public init(user: String, passwordFile path: String) throws(ServiceError) {
    let text = String(decoding: try readSecretFile(path, atMost: 4096), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.isEmpty else {
      throw ServiceError("\(path): has no password in its first line; write one")
    }
    self.init(user: user, password: String(line))
  }
}
