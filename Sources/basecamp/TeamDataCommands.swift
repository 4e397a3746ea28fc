import Basecamp
import CommandLineSupport
import SystemCalls
import TrackerCore
import Wording

/// `basecamp export` and `basecamp erase`: all that is kept of one team.
enum TeamDataCommands {
  /// - Returns: the exit code.
  static func export(_ arguments: Arguments) throws -> Int32 {
    let place = try CampPlace(arguments)
    let archive = try CampArchive(at: place)
    if let output = arguments.text(.output), case .folder(let folder) = place,
      isInside(output, folder)
    {
      throw UsageError(TeamDataPhrase.insideDatabase.texts(output))
    }
    let bytes = try archive.export(try sender(archive, arguments))
    let file = try OutputFile(path: arguments.text(.output))
    try file.write(bytes)
    try file.finish()
    return 0
  }

  /// - Returns: the exit code.
  static func erase(_ arguments: Arguments) throws -> Int32 {
    let language = Language.chosen(arguments.language)
    let archive = try CampArchive(at: try CampPlace(arguments))
    let sender = try sender(archive, arguments)
    let erased = try archive.erase(sender, at: HostTime.now.utc)
    let whom = sender.names.isEmpty ? "" : " (\(sender.names.joined(separator: ", ")))"
    let counts = [erased.captures, erased.entries, erased.links].map { "\($0)" }
    var text = TeamDataPhrase.erased.text(in: language, filling: [sender.tracker + whom] + counts)
    if erased.entriesLeft > 0 {
      text +=
        "\n" + TeamDataPhrase.entriesLeft.text(in: language, filling: ["\(erased.entriesLeft)"])
    }
    for path in erased.otherDiaries {
      text += "\n" + TeamDataPhrase.otherDiary.text(in: language, filling: [path])
    }
    try printOut(text + "\n")
    return 0
  }

  /// Whether a file, which need not exist, is one of a folder's.
  private static func isInside(_ path: String, _ folder: String) -> Bool {
    guard let file = (try? resolved(path)) ?? (try? resolved(directory(of: path))),
      let folder = try? resolved(folder)
    else { return false }
    return file == folder || file.hasPrefix(folder + "/")
  }

  private static func sender(
    _ archive: borrowing CampArchive, _ arguments: Arguments
  ) throws -> CampArchive.Subject {
    let table = try arguments.text(.teams).map { path throws in try CampSettings.teams(path) } ?? []
    return try archive.sender(arguments.operands.first ?? "", in: table)
  }

  static let exportTable = CommandTable(
    "export",
    Texts(
      ca: "tot el que se sap d'un equip, en JSON: captures, les que es van refusar i el diari",
      es: "todo lo que se sabe de un equipo, en JSON: capturas, las rechazadas y el diario",
      en: "all that is known of a team, as JSON: captures, those refused, and the diary",
      fr: "tout ce qu'on sait d'une équipe, en JSON : captures, celles refusées, et le journal"),
    operands: .init(.name, 1...1), options: [.database, .race, .teams, .output, .language],
    required: [["--database"]],
    notes: [
      .paragraph(
        ca: "EQUIP és el nom o el número del seu rastrejador. El servidor pot estar en marxa.",
        es: "EQUIPO es el nombre o el número de su rastreador. El servidor puede estar en marcha.",
        en: "TEAM is its name or its tracker's number. The server may be running.",
        fr: "ÉQUIPE est son nom ou le numéro de son traceur. Le serveur peut être en marche."),
      .exitCodes(),
    ])

  static let eraseTable = CommandTable(
    "erase",
    Texts(
      ca: "esborra tot el que se sap d'un equip; el servidor ha d'estar aturat",
      es: "borra todo lo que se sabe de un equipo; el servidor debe estar parado",
      en: "erases all that is known of a team; the server must be stopped",
      fr: "efface tout ce qu'on sait d'une équipe ; le serveur doit être arrêté"),
    operands: .init(.name, 1...1), options: [.database, .race, .teams, .language],
    required: [["--database"]],
    notes: [
      .paragraph(
        ca: "Els rastrejadors guarden les captures mentre el servidor està aturat. La taula de "
          + "--teams i les còpies de seguretat són cosa vostra.",
        es: "Los rastreadores guardan las capturas mientras el servidor está parado. La tabla de "
          + "--teams y las copias de seguridad son cosa suya.",
        en: "Trackers keep their captures while the server is stopped. The table of --teams and "
          + "backups are yours to change.",
        fr: "Les traceurs gardent leurs captures pendant l'arrêt du serveur. Le tableau de --teams "
          + "et les sauvegardes sont à vous de changer."),
      .exitCodes(),
    ])
}

/// What they say.
private enum TeamDataPhrase: Catalogue {
  case erased, entriesLeft, otherDiary, insideDatabase

  var texts: Texts {
    switch self {
    case .erased:
      Texts(
        ca: "{1}: esborrades {2} captures, {3} entrades del diari i {4} etiquetes d'enllaços",
        es: "{1}: borradas {2} capturas, {3} entradas del diario y {4} etiquetas de enlaces",
        en: "{1}: erased {2} captures, {3} entries of the diary and {4} labels of links",
        fr: "{1} : effacés {2} captures, {3} entrées du journal et {4} libellés de liens")
    case .entriesLeft:
      Texts(
        ca:
          "{1} entrades del diari són d'una versió anterior i no es poden esborrar soles: esborreu "
          + "control.db sencer",
        es:
          "{1} entradas del diario son de una versión anterior y no se pueden borrar solas: borre "
          + "control.db entero",
        en: "{1} entries of the diary are of an earlier version and cannot go alone: remove "
          + "control.db as a whole",
        fr: "{1} entrées du journal sont d'une version antérieure et ne peuvent partir seules : "
          + "supprimez control.db en entier")
    case .otherDiary:
      Texts(
        ca: "{1}: és un diari apartat i no s'ha tocat; esborreu-lo",
        es: "{1}: es un diario apartado y no se ha tocado; bórrelo",
        en: "{1}: is a diary that was put aside and was not touched; remove it",
        fr: "{1} : est un journal mis de côté, laissé tel quel ; supprimez-le")
    case .insideDatabase:
      Texts(
        ca: "{1}: és dins de la carpeta de --database; doneu un altre --output",
        es: "{1}: está en la carpeta de --database; dé otro --output",
        en: "{1}: is in the folder of --database; give another --output",
        fr: "{1} : est dans le dossier de --database ; donnez un autre --output")
    }
  }
}
