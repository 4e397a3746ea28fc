import BoardSupport
import CommandLineSupport
import Digests
import JSONReading
import Wording

/// What a part was made by. Parts of which this differs cannot be merged.
struct PartOrigin: Codable, Equatable {
  /// Of tracker-sim.
  var version: String
  /// The command and its options, but those that change no figure.
  var words: [String]
  /// A digest of the files that the options name.
  var inputs: String

  init(_ arguments: Arguments) {
    version = CommandLineSupport.version
    words = arguments.words(without: [.part, .threads])
    inputs = Self.inputs(arguments)
  }

  /// The options that may name a file that is read. A word that is no file's name, such as that of
  /// a scenario of this version, does not count.
  private static let readers = [
    "--config", "--coverage", "--course", "--pack", "--plan", "--scenario",
  ]

  private static func inputs(_ arguments: Arguments) -> String {
    let board = arguments.text(.board) ?? SimulateOptions.usualBoard
    let files =
      ((try? BoardDescription.files(named: board)) ?? [])
      + arguments.given.filter { readers.contains($0.name) }.map(\.value)
    let contents = files.map { path in
      let bytes = try? InputFile.regularBytes(of: path, atMost: SimulatorBounds.courseBytes)
      return sha256(String(decoding: bytes ?? [], as: UTF8.self))
    }
    return sha256(contents.joined())
  }
}

/// What a part of a command's races came to: a file of JSON with a line for each race, which ends
/// with a digest of all before that.
enum PartFile {
  fileprivate struct Head: Codable {
    var origin: PartOrigin
    var part: Int
    var of: Int

    enum CodingKeys: String, CodingKey {
      case origin = "made_by"
      case part, of
    }
  }

  /// - Parameter races: what the figures need of each.
  static func text(
    _ part: Part, _ origin: PartOrigin, _ races: [some Encodable]
  ) throws -> String {
    let encoder = FigureEncoder()
    let head = Head(origin: origin, part: part.number, of: part.count)
    let whole = Figure.object([
      .init(title, try encoder.encode(head)),
      .init("races", .list(try races.map { race throws in try encoder.encode(race) })),
    ])
    let body = String(whole.json.dropLast(ending.count))
    return body + digest(of: body) + ending
  }

  fileprivate static let title = "tracker_sim_part"
  private static let ending = "\n}\n"

  private static func digest(of body: String) -> String {
    ",\n  \"sha256\": \"\(sha256(body))\""
  }

  /// - Returns: `nil` for a file that is not as it was written.
  fileprivate static func isWhole(_ text: String) -> Bool {
    let tail = digest(of: "") + ending
    guard text.utf8.count > tail.utf8.count else { return false }
    let body = String(decoding: text.utf8.dropLast(tail.utf8.count), as: UTF8.self)
    return text == body + digest(of: body) + ending
  }
}

/// The parts of one command, all of them.
struct Parts {
  private struct File {
    let path: String
    let head: PartFile.Head
    let races: [JSONValue]
  }

  /// In the order of their numbers.
  private let files: [File]
  var words: [String] { files.first?.head.origin.words ?? [] }

  /// - Throws: for a file that is no part or damaged, a part that is missing or there twice, and
  ///   one of another command or version.
  init(_ paths: [String]) throws {
    let files = try paths.map { path throws in try Self.file(path) }
      .sorted { $0.head.part < $1.head.part }
    let first = files[0]
    for file in files {
      let (made, other) = (first.head.origin, file.head.origin)
      guard other.version == version else {
        throw UsageError(PartPhrase.otherVersion.texts(file.path, other.version, version))
      }
      guard other.words == made.words, file.head.of == first.head.of else {
        throw UsageError(
          PartPhrase.otherCommand.texts(
            file.path, Self.command(file), first.path, Self.command(first)))
      }
    }
    for (a, b) in zip(files, files.dropFirst()) where a.head.part == b.head.part {
      throw UsageError(PartPhrase.twice.texts(a.path, b.path, Self.name(a)))
    }
    let numbers = files.map(\.head.part)
    if let missing = (1...first.head.of).first(where: { !numbers.contains($0) }) {
      throw UsageError(PartPhrase.missing.texts("\(missing)/\(first.head.of)"))
    }
    self.files = files
  }

  private static func name(_ file: File) -> String { "\(file.head.part)/\(file.head.of)" }

  private static func command(_ file: File) -> String {
    (file.head.origin.words + ["--part \(name(file))"]).joined(separator: " ").plain
  }

  private static func file(_ path: String) throws -> File {
    let bytes = try InputFile.bytes(of: path, atMost: SimulatorBounds.partBytes)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("{\n  \"\(PartFile.title)\"") else {
      throw UsageError(PartPhrase.noPart.texts(path))
    }
    guard PartFile.isWhole(text), case .object(let members) = try? JSONValue(parsing: bytes),
      let value = members[PartFile.title], case .list(let races) = members["races"],
      let head = try? JSONDecoder().decode(PartFile.Head.self, from: value),
      1...SimulatorBounds.parts ~= head.of, 1...head.of ~= head.part
    else { throw UsageError(PartPhrase.damaged.texts(path)) }
    return File(path: path, head: head, races: races)
  }

  /// - Throws: for a part whose files have changed since, among themselves or to those of today.
  func check(_ arguments: Arguments) throws(UsageError) {
    let inputs = PartOrigin(arguments).inputs
    if let file = files.first(where: { $0.head.origin.inputs != inputs }) {
      throw UsageError(PartPhrase.otherInputs.texts(file.path))
    }
  }

  /// All that the parts hold, in the order of their races.
  func races<Race: Decodable>(_ type: Race.Type) throws -> [Race] {
    try files.flatMap { file throws in
      do {
        return try file.races.map { try JSONDecoder().decode(type, from: $0) }
      } catch { throw UsageError(PartPhrase.damaged.texts(file.path)) }
    }
  }

  /// The same of a command that has one for each race.
  ///
  /// - Parameter count: of all races.
  func races<Race: Decodable>(_ type: Race.Type, count: Int) throws -> [Race] {
    for file in files {
      let part = Part("\(file.head.part)/\(file.head.of)")
      guard part?.races(of: count).count == file.races.count else {
        throw UsageError(PartPhrase.damaged.texts(file.path))
      }
    }
    return try races(type)
  }
}

/// What is wrong with the parts that are to be merged.
enum PartPhrase: String, Catalogue {
  case noPart, damaged, otherVersion, otherCommand, otherInputs, twice, missing

  var texts: Texts {
    switch self {
    case .noPart:
      Texts(
        ca: "{1}: no és cap part; doneu els fitxers que plan o rehearse han escrit amb --part",
        es: "{1}: no es ninguna parte; dé los ficheros que plan o rehearse escribieron con --part",
        en: "{1}: not a part; give the files that plan or rehearse printed with --part",
        fr: "{1} : pas une partie ; donnez les fichiers écrits par plan ou rehearse avec --part")
    case .damaged:
      Texts(
        ca: "{1}: tallat o malmès; copieu-lo o jugueu aquesta part una altra vegada",
        es: "{1}: cortado o dañado; cópielo o juegue esta parte otra vez",
        en: "{1}: cut off or damaged; copy it, or play this part, once more",
        fr: "{1} : coupé ou abîmé ; copiez-le, ou rejouez cette partie")
    case .otherVersion:
      Texts(
        ca: "{1}: és de la versió {2}, aquest programa és {3}; feu totes les parts amb una versió",
        es: "{1}: es de la versión {2}, este programa es {3}; haga todas las partes con una",
        en: "{1}: made by version {2}, this is {3}; make and merge all parts with one version",
        fr: "{1} : de la version {2}, ce programme est {3} ; faites tout avec une seule version")
    case .otherCommand:
      Texts(
        ca: "{1} és de «{2}», {3} de «{4}»; doneu les parts d'una sola ordre",
        es: "{1} es de «{2}», {3} de «{4}»; dé las partes de una sola orden",
        en: "{1} is of '{2}', {3} of '{4}'; give the parts of one command",
        fr: "{1} est de « {2} », {3} de « {4} » ; donnez les parties d'une seule commande")
    case .otherInputs:
      Texts(
        ca: "{1}: la placa o els fitxers de les seves opcions han canviat; torneu-los com eren, o "
          + "jugueu les parts una altra vegada",
        es: "{1}: la placa o los ficheros de sus opciones han cambiado; déjelos como estaban, o "
          + "juegue las partes otra vez",
        en: "{1}: the board or the files of its options have changed since; put them back, or play "
          + "the parts again",
        fr: "{1} : la carte ou les fichiers de ses options ont changé ; remettez-les, ou rejouez "
          + "les parties")
    case .twice:
      Texts(
        ca: "{1} i {2} són tots dos la part {3}; traieu-ne un",
        es: "{1} y {2} son ambos la parte {3}; quite uno",
        en: "{1} and {2} are both part {3}; leave one out",
        fr: "{1} et {2} sont tous deux la partie {3} ; retirez-en un")
    case .missing:
      Texts(
        ca: "falta la part {1}; jugueu-la amb --part {1} i doneu-ne el fitxer",
        es: "falta la parte {1}; juéguela con --part {1} y dé su fichero",
        en: "part {1} is missing; play it with --part {1} and give its file",
        fr: "la partie {1} manque ; jouez-la avec --part {1} et donnez son fichier")
    }
  }
}
