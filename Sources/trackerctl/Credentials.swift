import CommandLineSupport
import LinuxHost
import Uplink
import Wording

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
      throw UsageError(CommandPhrase.lacksSecret.texts(path, name))
    }
    switch (options.user, options.clientID) {
    case (nil, nil):
      guard file["password"] == nil || file["token"] != nil else {
        throw UsageError(CommandPhrase.noUser.texts(path))
      }
      guard options.tokenURL == nil else {
        throw UsageError(CommandPhrase.tokenAlone.texts)
      }
      self = .token(try secret("token"))
    case (let name?, nil):
      self = .user(name: name, password: try secret("password"), tokenURL: options.tokenURL)
    case (nil, let client?):
      guard let url = options.tokenURL else {
        throw UsageError(CommandPhrase.clientAlone.texts)
      }
      self = .application(
        clientID: client, clientSecret: try secret("clientSecret"), tokenURL: url)
    case (_?, _?): throw UsageError(CommandPhrase.exclusive.texts)
    }
  }
}
