import Basecamp
import CommandLineSupport
import SystemCalls
import Wording

/// `basecamp staff`: who may log in to the control room.
enum StaffCommand {
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let store = try AccessStore(at: try CampPlace(arguments))
    let language = Language.chosen(arguments.language)
    guard let name = arguments.operands.first else {
      for option in [Option.role, .place, .passwordFile] where arguments.has(option) {
        throw UsageError(StaffPhrase.noName.texts(option.name))
      }
      return try say(try store.accounts().map { line(of: $0, in: language) }.joined())
    }
    if arguments.has(.remove) {
      guard try store.remove(name) else { throw UsageError(StaffPhrase.nobody.texts(name)) }
      let last = try store.accounts().isEmpty
      return try say(
        StaffPhrase.removed.text(in: language, name) + "\n"
          + (last ? StaffPhrase.shut.text(in: language) + "\n" : ""))
    }
    return try add(name, arguments, store, in: language)
  }

  private static func add(
    _ name: String, _ arguments: Arguments, _ store: AccessStore, in language: Language
  ) throws -> Int32 {
    guard let role = arguments.text(.role).flatMap({ Role(rawValue: $0) }) else {
      throw UsageError(StaffPhrase.noRole.texts(name))
    }
    guard name.isVisible, name.contains(where: { !$0.isWhitespace }), name.utf8.count <= 100 else {
      throw UsageError(StaffPhrase.badName.texts)
    }
    let place = arguments.text(.place)
    guard (role == .checkpoint) == (place != nil) else {
      throw UsageError(StaffPhrase.placeOfCheckpoint.texts)
    }
    let account = AccessStore.Account(name: name, role: role, place: place)
    if let file = arguments.text(.passwordFile) {
      try store.add(account, password: try password(inFile: file))
      return try say(line(of: account, in: language))
    }
    let password = newPassword()
    try store.add(account, password: password)
    return try say(
      line(of: account, in: language) + StaffPhrase.password.text(in: language, password) + "\n")
  }

  private static func line(of account: AccessStore.Account, in language: Language) -> String {
    let role = account.place.map { "\(account.role.rawValue), \($0)" } ?? account.role.rawValue
    return "\(account.name): \(role)\n"
  }

  /// Twelve letters and digits that nobody takes for another, some 59 bits.
  private static func newPassword() -> String {
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in
      String((0..<4).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }.joined(separator: "-")
  }

  static let table = CommandTable(
    "staff",
    Texts(
      ca: "qui pot entrar a la sala de control: els mostra, n'afegeix o en treu",
      es: "quién puede entrar en la sala de control: los muestra, añade o quita",
      en: "who may log in to the control room: lists, adds or removes them",
      fr: "qui peut entrer dans la salle de contrôle : les montre, en ajoute ou en retire"),
    operands: .init(.name, 0...1),
    options: [.database, .race, .role, .place, .passwordFile, .remove, .language],
    required: [["--database"]],
    notes: [
      .paragraph(
        ca: "Amb --role afegeix o canvia NOM, i sense --password-file mostra una contrasenya nova. "
          + "Tan aviat com n'hi ha un, ningú més no veu la sala de control.",
        es: "Con --role añade o cambia NOMBRE, y sin --password-file muestra una contraseña nueva. "
          + "En cuanto hay uno, nadie más ve la sala de control.",
        en: "With --role it adds or changes NAME, and without --password-file shows a new "
          + "password. As soon as there is one, nobody else sees the control room.",
        fr: "Avec --role il ajoute ou change NOM, et sans --password-file montre un nouveau mot de "
          + "passe. Dès qu'il y en a un, personne d'autre ne voit la salle de contrôle."),
      .exitCodes(),
    ])
}

extension Option {
  fileprivate static let role = Option("--role", .oneOf(["control", "checkpoint"])).says(
    ca: "control ho veu tot i ho fa tot; checkpoint veu els equips que han d'arribar al seu lloc",
    es: "control lo ve y lo hace todo; checkpoint ve los equipos que deben llegar a su lugar",
    en: "control sees and does everything; checkpoint sees the teams that are due at its place",
    fr: "control voit et fait tout ; checkpoint voit les équipes attendues à son lieu")
  fileprivate static let place = Option("--place", .name, needs: ["--role"]).says(
    ca: "el lloc d'un checkpoint, com es diu al recorregut",
    es: "el lugar de un checkpoint, como se llama en el recorrido",
    en: "the place of a checkpoint, as the course names it",
    fr: "le lieu d'un checkpoint, comme le nomme le parcours")
  fileprivate static let passwordFile = Option("--password-file", .file, needs: ["--role"]).says(
    ca: "la contrasenya, a la primera línia d'un fitxer de mode 0600",
    es: "la contraseña, en la primera línea de un fichero de modo 0600",
    en: "the password, in the first line of a file of mode 0600",
    fr: "le mot de passe, sur la première ligne d'un fichier de mode 0600")
  fileprivate static let remove = Option("--remove").says(
    ca: "treu NOM, i el fa sortir", es: "quita NOMBRE, y lo hace salir",
    en: "remove NAME, and log it out", fr: "retire NOM, et le fait sortir")
}

/// What `basecamp staff` says.
private enum StaffPhrase: Catalogue {
  case badName, noName, noRole, placeOfCheckpoint, nobody, removed, shut, password

  var texts: Texts {
    switch self {
    case .badName:
      Texts(
        ca: "un nom té de 1 a 100 bytes en una línia",
        es: "un nombre tiene de 1 a 100 bytes en una línea",
        en: "a name has 1 to 100 bytes in one line", fr: "un nom a de 1 à 100 octets sur une ligne")
    case .noName:
      Texts(
        ca: "{1} és per a un compte; digueu-ne el nom",
        es: "{1} es para una cuenta; diga su nombre",
        en: "{1} is for an account; say its name", fr: "{1} est pour un compte ; dites son nom")
    case .noRole:
      Texts(
        ca: "què ha de ser {1}? doneu --role control o --role checkpoint",
        es: "¿qué debe ser {1}? dé --role control o --role checkpoint",
        en: "what is {1} to be? give --role control or --role checkpoint",
        fr: "que doit être {1} ? donnez --role control ou --role checkpoint")
    case .placeOfCheckpoint:
      Texts(
        ca: "--place és per a --role checkpoint, que en necessita un",
        es: "--place es para --role checkpoint, que necesita uno",
        en: "--place is for --role checkpoint, which needs one",
        fr: "--place est pour --role checkpoint, qui en a besoin")
    case .shut:
      Texts(
        ca: "era l'últim compte: ara ningú no entra a la sala de control fins que n'afegiu un",
        es: "era la última cuenta: ahora nadie entra en la sala de control hasta que añada una",
        en: "that was the last account: nobody gets into the control room until you add one",
        fr: "c'était le dernier compte : personne n'entre plus dans la salle de contrôle avant "
          + "que vous n'en ajoutiez un")
    case .nobody:
      Texts(
        ca: "no hi ha cap {1}; basecamp staff els mostra",
        es: "no hay ningún {1}; basecamp staff los muestra",
        en: "there is no {1}; basecamp staff lists them",
        fr: "il n'y a pas de {1} ; basecamp staff les montre")
    case .removed:
      Texts(ca: "{1} ja no hi és", es: "{1} ya no está", en: "{1} is removed", fr: "{1} est retiré")
    case .password:
      Texts(
        ca: "contrasenya: {1} (no es torna a mostrar)",
        es: "contraseña: {1} (no se muestra otra vez)",
        en: "password: {1} (it is not shown again)",
        fr: "mot de passe : {1} (il n'est plus montré)")
    }
  }
}
