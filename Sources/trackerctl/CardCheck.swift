import BoardSupport
import FirstSetup
import MachineAccess
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
    try daemon.checkBroker(core.configuration.bearer)
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

/// What is wrong with the files of a card.
enum CardPhrase: String, Catalogue {
  case noSecrets, otherSecrets, unnamedSecrets, badPIN, noConsolePIN, badBoardName, simulatorBoard

  var texts: Texts {
    switch self {
    case .noSecrets:
      Texts(
        ca: "diu que hi ha secrets, però falta el fitxer {1}; afegiu-lo, o traieu aquesta clau",
        es: "dice que hay secretos, pero falta el fichero {1}; añádalo, o quite esta clave",
        en: "says that there are secrets, but the file {1} is missing; add it, or remove this key",
        fr: "dit qu'il y a des secrets, mais le fichier {1} manque ; ajoutez-le, ou retirez cette "
          + "clé")
    case .otherSecrets:
      Texts(
        ca: "els secrets d'una targeta van a {1}; escriviu això",
        es: "los secretos de una tarjeta van a {1}; escriba eso",
        en: "a card's secrets go to {1}; write that",
        fr: "les secrets d'une carte vont dans {1} ; écrivez cela")
    case .unnamedSecrets:
      Texts(
        ca: "hi ha secrets que ningú no llegiria; afegiu secrets: \"{1}\" a la configuració",
        es: "hay secretos que nadie leería; añada secrets: \"{1}\" a la configuración",
        en: "there are secrets that nobody would read; add secrets: \"{1}\" to the configuration",
        fr: "il y a des secrets que personne ne lirait ; ajoutez secrets: \"{1}\" à la "
          + "configuration")
    case .badPIN:
      Texts(
        ca: "el PIN de la SIM no és un PIN; escriviu de 4 a 8 xifres",
        es: "el PIN de la SIM no es un PIN; escriba de 4 a 8 cifras",
        en: "the SIM's PIN is not a PIN; write 4 to 8 digits",
        fr: "le PIN de la SIM n'est pas un PIN ; écrivez 4 à 8 chiffres")
    case .noConsolePIN:
      Texts(
        ca: "la consola demana un PIN (console: \"pin\"); afegiu consolePin, de 4 a 64 caràcters",
        es: "la consola pide un PIN (console: \"pin\"); añada consolePin, de 4 a 64 caracteres",
        en: "the console asks for a PIN (console: \"pin\"); add consolePin, 4 to 64 characters",
        fr: "la console demande un PIN (console: \"pin\") ; ajoutez consolePin, 4 à 64 caractères")
    case .badBoardName:
      Texts(
        ca: "'{1}' no és el nom d'una placa; trackerctl boards les mostra",
        es: "'{1}' no es el nombre de una placa; trackerctl boards las muestra",
        en: "'{1}' is not the name of a board; trackerctl boards lists them",
        fr: "'{1}' n'est pas le nom d'une carte ; trackerctl boards les montre")
    case .simulatorBoard:
      Texts(
        ca: "'{1}' és només per al simulador; trieu-ne una altra",
        es: "'{1}' es solo para el simulador; elija otra",
        en: "'{1}' is for the simulator only; choose another",
        fr: "'{1}' est seulement pour le simulateur ; choisissez-en une autre")
    }
  }
}
