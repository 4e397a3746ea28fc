import CommandLineSupport
import LinuxHost
import Uplink

extension ArcGISCredentials {
  /// Takes names from the command line and secrets from the file.
  ///
  /// - Throws: an error of one line if options exclude each other or a secret is missing.
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
      throw UsageError("\(path): has no \(name); add a line: \(name) = …")
    }
    switch (options.user, options.clientID) {
    case (nil, nil):
      guard file["password"] == nil || file["token"] != nil else {
        throw UsageError("\(path): has a password without a user; give --user NAME")
      }
      guard options.tokenURL == nil else {
        throw UsageError("--token-url goes with --user or --client-id; give one of them")
      }
      self = .token(try secret("token"))
    case (let name?, nil):
      self = .user(name: name, password: try secret("password"), tokenURL: options.tokenURL)
    case (nil, let client?):
      guard let url = options.tokenURL else {
        throw UsageError("--client-id needs the address to get tokens from; give --token-url URL")
      }
      self = .application(
        clientID: client, clientSecret: try secret("clientSecret"), tokenURL: url)
    case (_?, _?): throw UsageError("--user and --client-id exclude each other; give one")
    }
  }
}
