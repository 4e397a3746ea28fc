import CommandLineSupport
import LinuxHost
import Uplink

extension ArcGISCredentials {
  /// Names stand on the command line, what is secret in the file.
  ///
  /// - Throws: one line: what does not go together, or what the file lacks.
  init(_ options: Options) throws {
    guard let path = options.secrets else {
      guard options.user == nil, options.clientID == nil, options.tokenURL == nil else {
        throw UsageError(
          "--user, --client-id and --token-url need a password or secret; give --secrets FILE")
      }
      self = .none
      return
    }
    let file = try SecretsFile.load(path)
    func secret(_ name: String) throws -> Secret {
      if let secret = file[name] { return secret }
      throw UsageError("\(path): has no \(name); write a line: \(name) = …")
    }
    switch (options.user, options.clientID) {
    case (nil, nil):
      guard file["password"] == nil || file["token"] != nil else {
        throw UsageError("\(path): has a password, and nobody is named; give --user NAME")
      }
      guard options.tokenURL == nil else {
        throw UsageError("--token-url goes with --user or --client-id; give one of them")
      }
      self = .token(try secret("token"))
    case (let name?, nil):
      self = .user(name: name, password: try secret("password"), tokenURL: options.tokenURL)
    case (nil, let client?):
      guard let url = options.tokenURL else {
        throw UsageError("--client-id needs the place of its tokens; give --token-url URL")
      }
      self = .application(
        clientID: client, clientSecret: try secret("clientSecret"), tokenURL: url)
    case (_?, _?): throw UsageError("--user and --client-id are two ways in; give one")
    }
  }
}
