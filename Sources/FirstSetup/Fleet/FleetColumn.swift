import Wording

/// What a column of an organiser's table says about each tracker.
public enum FleetColumn: String, Sendable, CaseIterable {
  case team, number, secret, user, language, board, apn, server, receiver, interface, pin
  case consolePin

  /// The names that a header may have, in small letters and without accents.
  var names: [String] {
    switch self {
    case .team: ["team", "equip", "equipo", "equipe"]
    case .number: ["number", "numero", "num", "dorsal", "dossard"]
    case .secret: ["secret", "secreto", "password", "contrasenya", "contrasena", "mot de passe"]
    case .user: ["user", "usuari", "usuario", "utilisateur"]
    case .language: ["language", "idioma", "llengua", "langue"]
    case .board: ["board", "placa", "carte"]
    case .apn: ["apn"]
    case .server: ["server", "servidor", "serveur"]
    case .receiver: ["receiver", "receptor", "recepteur"]
    case .interface: ["interface", "interficie", "interfaz"]
    case .pin: ["pin", "pin sim", "sim pin"]
    case .consolePin: ["consolepin", "console pin", "pin consola", "pin console"]
    }
  }

  /// Those without which there is no table.
  static let required: [FleetColumn] = [.team, .number]

  /// The setting of the configuration that the column gives; `nil`: none, it goes elsewhere.
  var setting: String? {
    switch self {
    case .team: "team"
    case .number: "server.device"
    case .user: "server.user"
    case .language: "language"
    case .apn: "apn"
    case .server: "server.address"
    case .receiver: "receiverPort"
    case .interface: "network.interface"
    case .secret, .board, .pin, .consolePin: nil
    }
  }

  init?(header: String) {
    let name = PlainLetters.folded(header)
    guard let found = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
    self = found
  }

  /// The name that was probably meant.
  static func near(_ header: String) -> String? {
    nearest(to: PlainLetters.folded(header), in: allCases.flatMap(\.names))
  }
}
