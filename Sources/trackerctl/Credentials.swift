import CommandLineSupport
import LinuxHost
import Uplink
import Wording

extension ArcGISCredentials {
  /// Takes names from the command line and secrets from the file.
  ///
  /// - Throws: an error of one line if a secret is missing.
  init(_ arguments: Arguments) throws {
    guard let path = arguments.text(.secrets) else {
      self = .none
      return
    }
    let tokenURL = arguments.text(.tokenURL)
    let file = try SecretsFile.load(path)
    func secret(_ name: String) throws -> Secret {
      if let secret = file[name] { return secret }
      throw UsageError(CommandPhrase.lacksSecret.texts(path, name))
    }
    switch (arguments.text(.user), arguments.text(.clientID)) {
    case (nil, nil):
      guard file["password"] == nil || file["token"] != nil else {
        throw UsageError(CommandPhrase.noUser.texts(path))
      }
      self = .token(try secret("token"))
    case (let name?, nil):
      self = .user(name: name, password: try secret("password"), tokenURL: tokenURL)
    case (_, let client?):
      guard let url = tokenURL else {
        throw UsageError(CommandPhrase.clientAlone.texts)
      }
      self = .application(
        clientID: client, clientSecret: try secret("clientSecret"), tokenURL: url)
    }
  }
}
