public import Wording

/// A program's commands and their options, in one place. The parser, `--help`, usage errors, the
/// manual page and the completion are made from it.
public struct ProgramTable: Sendable {
  public let name: String
  /// The manual's section.
  let section: Int
  /// What the program does without a command; its text describes the program.
  let main: CommandTable
  let commands: [CommandTable]
  /// Whether `main` is only what the commands have in common.
  let needsCommand: Bool

  public init(
    _ name: String, section: Int = 1, needsCommand: Bool = false, main: CommandTable,
    commands: [CommandTable] = []
  ) {
    self.name = name
    self.section = section
    self.needsCommand = needsCommand
    self.main = main
    self.commands = commands
  }

  /// `tracker-sim plan`
  func path(of command: CommandTable) -> String {
    command.name.isEmpty ? name : "\(name) \(command.name)"
  }

  /// What every program has.
  static let common = [Option.help, .version, .print]
}

/// One command of a program.
public struct CommandTable: Sendable {
  public struct Operands: Sendable {
    let value: OptionValue
    /// `nil`: the command checks them itself.
    let count: ClosedRange<Int>?

    public init(_ value: OptionValue, _ count: ClosedRange<Int>? = 1...1) {
      self.value = value
      self.count = count
    }
  }

  /// The word that calls it; empty for a program without a command.
  public let name: String
  let text: Texts
  let operands: Operands?
  public let options: [Option]
  /// One option of each list has to be given.
  let required: [[String]]
  let notes: [HelpBlock]
  /// Whether only programs call it, so that no help lists it.
  let isHidden: Bool

  public init(
    _ name: String, _ text: Texts, operands: Operands? = nil, options: [Option] = [],
    required: [[String]] = [], notes: [HelpBlock] = [], isHidden: Bool = false
  ) {
    self.name = name
    self.text = text
    self.operands = operands
    self.options = options
    self.required = required
    self.notes = notes
    self.isHidden = isHidden
  }

  /// Whether the command parses the words that are not options itself.
  var hasOwnWords: Bool { operands.map { $0.count == nil } ?? false }

  func option(_ word: String) -> Option? {
    options.first { $0.isCalled(word) }
  }

  /// `push --server URL [options]`, after the program's name.
  var usage: Texts {
    var parts = name.isEmpty ? [] : [name.texts]
    for group in required {
      let ways = group.compactMap { option($0)?.usage }
      let all = ways.dropFirst().reduce(ways.first ?? "".texts) { $0 + " | " + $1 }
      parts.append(ways.count > 1 ? "(".texts + all + ")" : all)
    }
    let named = required.flatMap(\.self)
    if options.contains(where: { !named.contains($0.name) }) {
      parts.append("[".texts + UsagePhrase.options.texts + "]")
    }
    return parts.dropFirst().reduce(parts.first ?? "".texts) { $0 + " " + $1 } + operandNames
  }

  private var operandNames: Texts {
    guard let operands, !operands.value.name.english.isEmpty else { return "".texts }
    return " ".texts + operands.value.name
  }

  /// `captures [N] [STATE]`
  var words: Texts { name.texts + operandNames }
}

extension Option {
  static let help = Option("--help", aliases: ["-h"]).says(
    ca: "mostra aquesta ajuda", es: "muestra esta ayuda", en: "print this help",
    fr: "affiche cette aide")
  static let version = Option("--version").says(
    ca: "mostra la versió", es: "muestra la versión", en: "print the version",
    fr: "affiche la version")
  /// For building packages.
  static let print = Option("--print", .oneOf(["manual", "completion"])).says(
    ca: "mostra el manual (roff) o la compleció (bash)",
    es: "muestra el manual (roff) o el completado (bash)",
    en: "print the manual page (roff) or the completion (bash)",
    fr: "affiche le manuel (roff) ou la complétion (bash)")

  // MARK: What several commands have

  public static let json = Option("--json").says(
    ca: "les xifres en JSON, iguals en tots els idiomes",
    es: "las cifras en JSON, iguales en todos los idiomas",
    en: "print the figures as JSON, the same in every language",
    fr: "les chiffres en JSON, pareils dans toutes les langues")
  public static let language = Option("--language", .oneOf(["ca", "es", "en", "fr"])).says(
    ca: "l'idioma [el configurat, o el de l'entorn]",
    es: "el idioma [el configurado, o el del entorno]",
    en: "the language [the configured one, or the environment's]",
    fr: "la langue [celle des réglages, ou de l'environnement]")
  public static let board = Option("--board", .board).says(
    ca: "una placa de boards/, o un camí; o parts: pi-4b+waveshare-sim7600+ina219",
    es: "una placa de boards/, o una ruta; o partes: pi-4b+waveshare-sim7600+ina219",
    en: "a board in boards/, or a path; or parts: pi-4b+waveshare-sim7600+ina219",
    fr: "une carte de boards/, ou un chemin ; ou des parties : pi-4b+waveshare-sim7600+ina219")
  public static let course = Option("--course", .file).says(
    ca: "el recorregut: GeoJSON o GPX, amb els seus punts",
    es: "el recorrido: GeoJSON o GPX, con sus puntos",
    en: "the course: GeoJSON or GPX, with its named points",
    fr: "le parcours : GeoJSON ou GPX, avec ses points")
  public static let output = Option("--output", .file).says(
    ca: "el fitxer, que apareix quan és complet [sortida estàndard]",
    es: "el fichero, que aparece cuando está completo [salida estándar]",
    en: "the file, which appears when it is complete [standard output]",
    fr: "le fichier, qui apparaît une fois complet [sortie standard]")
  public static let timetable = Option("--plan", .file).says(
    ca: "horari (CSV): columnes place (o km), time, i team on els equips difereixen; una hora és "
      + "una data, o hores:minuts des de la sortida de l'equip: Amer,6:30",
    es: "horario (CSV): columnas place (o km), time, y team donde los equipos difieren; una hora "
      + "es una fecha, u horas:minutos desde la salida del equipo: Amer,6:30",
    en: "timetable (CSV): columns place (or km), time, and team where teams differ; a time is a "
      + "date, or hours:minutes since the team's start: Amer,6:30",
    fr: "horaire (CSV) : colonnes place (ou km), time, et team où les équipes diffèrent ; une "
      + "heure est une date, ou heures:minutes depuis le départ de l'équipe : Amer,6:30")
  /// For the comparison of two walks.
  public static let coverage = Option("--coverage", .file).says(
    ca: "cobertura d'una marxa anterior, per a la sala de control",
    es: "cobertura de una marcha anterior, para la sala de control",
    en: "coverage of an earlier race, for the control room",
    fr: "couverture d'une marche précédente, pour la salle de contrôle")
  public static let plan = Option("--plan", .file, needs: ["--course"]).says(
    ca: "un horari en lloc de B (CSV: place o km, i time)",
    es: "un horario en vez de B (CSV: place o km, y time)",
    en: "a timetable instead of B (CSV: place or km, and time)",
    fr: "un horaire au lieu de B (CSV : place ou km, et time)")
}

extension ProgramTable {
  /// A script for bash.
  var completion: String {
    let function = "_" + name.exchanging("-", for: "_")
    let names = commands.filter { !$0.isHidden }.map(\.name)
    var text = """
      # bash completion for \(name)
      \(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' files=''
        local command=''
        [ "$COMP_CWORD" = 1 ] || command=${COMP_WORDS[1]}
        case $command in

      """
    var parts: [(names: [String], part: String)] = []
    for command in commands where !command.isHidden {
      let part = Self.part(command.options + [.help], command.operands, [])
      if let same = parts.firstIndex(where: { $0.part == part }) {
        parts[same].names.append(command.name)
      } else {
        parts.append(([command.name], part))
      }
    }
    parts.append((["*"], Self.part(main.options + Self.common, main.operands, names)))
    for (names, part) in parts { text += "    \(names.joined(separator: " | ")))\n" + part }
    return text + """
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        [ -z "$files" ] ||
          mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
      }
      complete -o filenames -F \(function) \(name)

      """
  }

  /// What can follow a command, and what can follow one of its options.
  private static func part(
    _ options: [Option], _ operands: CommandTable.Operands?, _ words: [String]
  ) -> String {
    var first = words
    var files = ""
    switch operands?.value.completion {
    case .words(let words): first += words
    case .files: files = " files=yes"
    case .boards, .nothing, nil: break
    }
    let all = (first + options.map(\.name)).joined(separator: " ")
    var text = "      words='\(all)'\(files)\n      case $before in\n"
    for option in options {
      let result: String? =
        switch option.value?.completion {
        case .files: "words='' files=yes"
        case .words(let words): "words='\(words.joined(separator: " "))' files=''"
        case .boards: "words=$(\(boards)) files=''"
        case .nothing: "return"
        case nil: nil
        }
      let names = ([option.name] + option.aliases).joined(separator: " | ")
      if let result { text += "        \(names)) \(result) ;;\n" }
    }
    return text + "      esac\n      ;;\n"
  }

  private static let boards =
    #"trackerctl boards 2>/dev/null | sed -n 's/^\([^ ]*\)  board .*/\1/p'"#
}
