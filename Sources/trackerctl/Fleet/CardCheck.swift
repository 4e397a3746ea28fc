import BoardSupport
import FirstSetup
import LinuxHost
import TrackerCore
import Uplink
import Wording

/// Whether a tracker could run with a card's files, as far as this machine can tell.
enum CardCheck {
  /// - Parameters:
  ///   - board: `nil`: the files name none.
  ///   - paths: of the files, for errors.
  /// - Throws: what trackerd would refuse them for: a `FileError`, or a `SecretsError`.
  static func check(
    _ files: CardFiles, on board: BoardDescription?, paths: (configuration: String, secrets: String)
  ) throws {
    let root = try FileNode.parse(files.configuration, path: paths.configuration)
    let core = try ConfigurationFile(root)
    let daemon = try DaemonSettings(root)
    if let board {
      try core.check(on: board, path: paths.configuration)
    }
    try daemon.checkTrust(of: core.configuration.bearer)
    try checkSecretsPath(daemon, files)
    let secrets = try files.secrets.map { try SecretsFile($0, path: paths.secrets) }
    _ = try AnyDialogue(daemon.server, secrets)
    guard secrets?.hasGoodSIMPIN ?? true else {
      throw FileError(path: paths.secrets, keyPath: "pin", message: CardPhrase.badPIN.texts)
    }
    if daemon.console == .pin, secrets?.consolePIN == nil {
      throw FileError(
        path: paths.secrets, keyPath: "consolePin", message: CardPhrase.noConsolePIN.texts)
    }
  }

  private static func checkSecretsPath(
    _ daemon: DaemonSettings, _ files: CardFiles
  ) throws(FileError) {
    switch (daemon.secrets, files.secrets) {
    case (let node?, nil): throw node.error(CardPhrase.noSecrets.texts(CardFiles.secretsName))
    case (let node?, _?):
      guard try node.path() == CardFiles.secretsPath else {
        throw node.error(CardPhrase.otherSecrets.texts(CardFiles.secretsPath))
      }
    case (nil, _?):
      throw daemon.server.address.error(CardPhrase.unnamedSecrets.texts(CardFiles.secretsPath))
    case (nil, nil): break
    }
  }

  /// The board that a card names.
  ///
  /// - Throws: if there is none, or it is a model for the simulator.
  static func board(named name: String) throws(FileError) -> BoardDescription {
    // The name will stand in a file that systemd reads, and is a path only from the root.
    guard EnvironmentText.isPlain(name),
      name.hasPrefix("/") || !name.utf8.contains(UInt8(ascii: "/"))
    else {
      throw FileError(path: "boards", message: CardPhrase.badBoardName.texts(name))
    }
    let board = try BoardDescription.load(named: name)
    guard board.assembly.energyModelOnly == nil else {
      throw FileError(path: "boards", message: CardPhrase.simulatorBoard.texts(name))
    }
    return board
  }
}
