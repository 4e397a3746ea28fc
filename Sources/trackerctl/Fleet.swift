import BoardSupport
import CommandLineSupport
import FirstSetup
import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// `trackerctl fleet FILE.csv`: the files of many trackers, from an organiser's table.
struct Fleet {
  private let table: String
  private let output: String
  private let config: String?
  private let board: String?
  private let replaces: Bool
  private let language: Language?
  /// For errors, which are reported as errors in the table.
  private static let secretsPath = "(the secrets)"

  init(_ arguments: Arguments) {
    table = arguments.operands[0]
    output = arguments.text(.newFolder) ?? ""
    config = arguments.text(.fleetConfiguration)
    board = arguments.text(.board)
    replaces = arguments.has(.replace)
    language = arguments.language
  }

  /// - Returns: the exit code.
  func write() throws -> Int32 {
    let fleet = try FleetTable(
      InputFile.bytes(of: table, atMost: FileBounds.bytes), path: table)
    var base = FleetBase(board: board)
    if let config {
      base = FleetBase(
        configuration: try InputFile.bytes(of: config, atMost: FileBounds.bytes), path: config,
        board: board)
    }
    var folders: [FleetFolder.Card] = []
    for row in fleet.rows {
      let files = try fleet.files(for: row, base)
      try check(files, of: row, in: fleet, base)
      folders.append(FleetFolder.Card(name: row.folder, files: files))
    }
    let language = Language.chosen(language)
    let count = Int64(folders.count)
    let readme = FleetText.readme.text(in: language, count: count) + "\n"
    let folder = FleetFolder(output)
    try folder.write(folders, readme: readme, replacing: replaces)
    return try say(FleetText.written.text(in: language, count: count, folder.path) + "\n")
  }

  /// - Throws: what a tracker would refuse the files for.
  private func check(
    _ files: CardFiles, of row: FleetTable.Row, in fleet: FleetTable, _ base: FleetBase
  ) throws {
    var description: BoardDescription?
    if let name = files.board {
      do throws(FileError) { description = try CardCheck.board(named: name) } catch {
        throw fleet.placed(boardError: error, row)
      }
    }
    do {
      try CardCheck.check(files, on: description, paths: (base.path, Self.secretsPath))
      // A race that is over is a mistake, such as last year's file.
      let root = try FileNode.parse(files.configuration, path: base.path)
      try ConfigurationFile(root).checkFinish(at: BootClock.date, path: base.path)
    } catch let error as FileError where error.path == Self.secretsPath {
      throw fleet.secretError(row, error)
    } catch let error as FileError {
      throw fleet.placed(error, row, base)
    } catch is SecretsError {
      throw fleet.secretError(row, nil)
    }
  }
}

/// The folder with the files of all cards, which appears complete or not at all.
///
///     DIR/README.txt
///     DIR/07-els-senglars/trailtracker/{trackerd.json5,board,secrets}
///
/// Only its owner can read any of it. It is written as `DIR.part`, and renamed when it is on disk.
struct FleetFolder {
  struct Card {
    /// The name of its folder.
    var name: String
    var files: CardFiles
  }

  let path: String
  private var part: String { path + ".part" }
  private var old: String { path + ".old" }
  private static let readmeName = "README.txt"

  init(_ path: String) {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    self.path = String(path)
  }

  /// - Parameter replacing: whether a folder of a former run may be replaced.
  /// - Throws: if it cannot be written. A signal that came meanwhile ends the program. Either way
  ///   what was there before is still there.
  func write(_ cards: [Card], readme: String, replacing: Bool) throws {
    let signals = HeldSignals([.interrupt, .terminate, .hangUp, .quit])
    let exists = kind(ofPath: path) != nil
    guard !exists || replacing else { throw UsageError(FleetText.exists.texts(path)) }
    // Left over from runs that were killed.
    for leftover in [path, part, old] { try refuseForeign(leftover) }
    for leftover in [part, old] { try remove(leftover) }
    do {
      try makeFolder(part)
      try writeFile("\(part)/\(Self.readmeName)", Array(readme.utf8))
      for card in cards {
        guard !signals.isPending else { throw UsageError(FleetText.interrupted.texts) }
        try writeCard(card)
      }
      try writing(part) { () throws(SystemError) in try synchroniseDirectory(part) }
      if exists { try move(path, to: old) }
      do {
        try move(part, to: path)
      } catch {
        if exists { try move(old, to: path) }
        throw error
      }
    } catch {
      try? remove(part)
      throw error
    }
    try remove(old)
    let parent = directory(of: path)
    try writing(path) { () throws(SystemError) in try synchroniseDirectory(parent) }
  }

  private func writeCard(_ card: Card) throws(FileAccessError) {
    let folder = "\(part)/\(card.name)"
    let inner = "\(folder)/\(CardFiles.folder)"
    try makeFolder(folder)
    try makeFolder(inner)
    for file in card.files.all { try writeFile("\(inner)/\(file.name)", file.bytes) }
    for path in [inner, folder] {
      try writing(path) { () throws(SystemError) in try synchroniseDirectory(path) }
    }
  }

  private func makeFolder(_ path: String) throws(FileAccessError) {
    try writing(path) { () throws(SystemError) in
      try SystemCalls.makeFolder(path, mode: 0o700)
    }
  }

  private func writeFile(_ path: String, _ bytes: [UInt8]) throws(FileAccessError) {
    try writing(path) { () throws(SystemError) in try writeDurably(bytes, to: path, mode: 0o600) }
  }

  private func move(_ from: String, to: String) throws(FileAccessError) {
    try writing(to) { () throws(SystemError) in
      try renameFile(from, to: to)
    }
  }

  // MARK: Removing

  /// Refuses to remove what this program did not create, such as a home directory.
  private func refuseForeign(_ folder: String) throws(UsageError) {
    guard kind(ofPath: folder) != nil else { return }
    guard kind(ofPath: folder) == .folder, destination(ofLink: folder) == nil else {
      throw UsageError(FleetText.foreign.texts(folder))
    }
    for name in names(inFolder: folder) where name != Self.readmeName {
      let card = "\(folder)/\(name)"
      let inner = "\(card)/\(CardFiles.folder)"
      guard destination(ofLink: card) == nil, kind(ofPath: card) == .folder,
        isOfFleet(names(inFolder: card), unfinished: folder != path),
        destination(ofLink: inner) == nil
      else { throw UsageError(FleetText.foreign.texts(card)) }
      for file in names(inFolder: inner) where !Self.fileNames.contains(file) {
        throw UsageError(FleetText.foreign.texts("\(inner)/\(file)"))
      }
    }
  }

  /// - Parameter unfinished: whether a run may have been killed before it made what is inside.
  private func isOfFleet(_ names: [String], unfinished: Bool) -> Bool {
    names == [CardFiles.folder] || unfinished && names.isEmpty
  }

  private static let fileNames = [
    CardFiles.configurationName, CardFiles.boardName, CardFiles.secretsName,
  ]

  /// Removes a folder that is not foreign.
  private func remove(_ folder: String) throws(FileAccessError) {
    guard kind(ofPath: folder) == .folder else { return }
    for name in names(inFolder: folder) where name != Self.readmeName {
      let inner = "\(folder)/\(name)/\(CardFiles.folder)"
      for file in names(inFolder: inner) { try? removeFile("\(inner)/\(file)") }
      try? removeFolder(inner)
      try? removeFolder("\(folder)/\(name)")
    }
    try? removeFile("\(folder)/\(Self.readmeName)")
    do throws(SystemError) { try removeFolder(folder) } catch {
      throw FileAccessError("cannot remove", folder, code: error.code)
    }
  }
}

/// What `trackerctl fleet` says beside errors in the table, and the text for whoever makes the
/// cards.
enum FleetText: String, Catalogue {
  case exists, foreign, written, interrupted, readme

  var texts: Texts {
    switch self {
    case .exists:
      Texts(
        ca: "{1}: ja existeix; doneu un altre --output, o --replace per substituir-lo",
        es: "{1}: ya existe; dé otro --output, o --replace para sustituirlo",
        en: "{1}: exists already; give another --output, or --replace to replace it",
        fr: "{1} : existe déjà ; donnez un autre --output, ou --replace pour le remplacer")
    case .foreign:
      Texts(
        ca: "{1}: no l'ha escrit trackerctl fleet; no s'esborra, doneu un altre --output",
        es: "{1}: no lo escribió trackerctl fleet; no se borra, dé otro --output",
        en: "{1}: was not written by trackerctl fleet; it is kept, give another --output",
        fr: "{1} : n'a pas été écrit par trackerctl fleet ; il reste, donnez un autre --output")
    case .written:
      Texts(
        ca: "{1} targeta preparada a {2}; {2}/README.txt diu com seguir | {1} targetes preparades "
          + "a {2}; {2}/README.txt diu com seguir",
        es: "{1} tarjeta preparada en {2}; {2}/README.txt dice cómo seguir | {1} tarjetas "
          + "preparadas en {2}; {2}/README.txt dice cómo seguir",
        en: "{1} card prepared in {2}; {2}/README.txt says how to go on | {1} cards prepared in "
          + "{2}; {2}/README.txt says how to go on",
        fr: "{1} carte préparée dans {2} ; {2}/README.txt dit comment continuer | {1} cartes "
          + "préparées dans {2} ; {2}/README.txt dit comment continuer")
    case .interrupted:
      Texts(
        ca: "interromput; no s'ha canviat res", es: "interrumpido; no se ha cambiado nada",
        en: "interrupted; nothing was changed", fr: "interrompu ; rien n'a été changé")
    case .readme: FleetReadme.texts
    }
  }
}
