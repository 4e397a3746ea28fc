import BoardSupport
import CommandLineSupport
import FirstSetup
import SystemCalls
import TrackerCore
import Wording

/// `trackerctl first-boot`: takes a card's settings from its boot partition, where any computer can
/// put them, to /etc, and the secrets away from there. The unit trailtracker-firstboot.service runs
/// it before trackerd.
///
/// The power may fail at any time. Up to the moment in which everything is on the disk under
/// `/etc/trailtracker/first-boot`, the tracker is as it was, and the next start begins again; from
/// then on the next start goes on with that folder and needs no card. trackerd does not start while
/// that folder is there, so that it never runs with one tracker's name and another's password. Only
/// when all is in place are the secrets on the card overwritten and deleted.
struct FirstBoot {
  /// The root folder: `/`, except for an image or a test.
  let root: String
  private let etc: TrackerEtc

  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let root = arguments.rootFolder
    guard root.isEmpty || kind(ofPath: root) == .folder else {
      throw FileError(path: root, message: SystemReason.texts(of: Errno.notFolder))
    }
    guard effectiveUser == 0 || !root.isEmpty else {
      throw UsageError(FirstBootPhrase.needsRoot.texts)
    }
    return try FirstBoot(root: root, etc: TrackerEtc(root: root)).run()
  }

  private func run() throws -> Int32 {
    setFileModeMask(0o022)
    // Left over from a power cut.
    try etc.finish()
    let partitions = ["\(root)/boot/firmware", "\(root)/boot"].map { BootPartition($0) }
    for partition in partitions { try partition.wipeDone() }
    guard let partition = partitions.first(where: \.hasFolder) else { return 0 }
    var language: Language?
    do {
      try partition.checkWritable()
      let files = try partition.files()
      language = Self.language(of: files)
      try check(files, in: partition)
      try etc.take(files)
      try partition.finish()
      return try say(Self.report(files)[.chosen(nil, configured: language)] + "\n")
    } catch {
      let text = Texts(of: error)[.chosen(nil, configured: language)]
      partition.tell(text)
      throw UsageError(text)
    }
  }

  private func check(_ files: CardFiles, in partition: BootPartition) throws {
    var board: BoardDescription?
    if let name = files.board {
      do throws(FileError) { board = try CardCheck.board(named: name) } catch {
        throw FileError(path: partition.path(CardFiles.boardName), line: 1, message: error.texts)
      }
    }
    try CardCheck.check(
      files, on: board,
      paths: (
        partition.path(CardFiles.configurationName), partition.path(CardFiles.secretsName)
      ))
  }

  private static func configuration(of files: CardFiles) -> ConfigurationFile? {
    try? ConfigurationFile(FileNode.parse(files.configuration, path: ""))
  }

  private static func language(of files: CardFiles) -> Language? {
    configuration(of: files)?.language
  }

  private static func report(_ files: CardFiles) -> Texts {
    let team = configuration(of: files)?.team
    let bytes = team.map { name in (0..<name.count).map { name[$0] } } ?? []
    return FirstBootPhrase.taken.texts(String(decoding: bytes, as: UTF8.self))
  }
}

/// The FAT partition that a Raspberry Pi starts from, and that any computer can write.
struct BootPartition {
  /// Where it is mounted.
  let place: String
  private var folder: String { "\(place)/\(CardFiles.folder)" }
  /// The folder after its files were taken.
  private var done: String { folder + ".done" }
  private static let complaintName = "ERROR.txt"

  init(_ place: String) { self.place = place }

  var hasFolder: Bool { kind(ofPath: folder) == .folder }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// - Throws: if the secrets could not be deleted afterwards.
  func checkWritable() throws(FileError) {
    guard isWritable(fileSystemOf: folder) == true else {
      throw FileError(path: place, message: FirstBootPhrase.readOnly.texts)
    }
  }

  /// The files, without the byte order mark that some editors add.
  func files() throws(FileError) -> CardFiles {
    guard let configuration = try bytes(of: CardFiles.configurationName) else {
      throw FileError(
        path: folder, message: FirstBootPhrase.incomplete.texts(CardFiles.configurationName))
    }
    var files = CardFiles(configuration: configuration)
    if let bytes = try bytes(of: CardFiles.boardName) {
      let line = bytes.split { $0 == 0x0A || $0 == 0x0D }.first ?? []
      let words = line.split { $0 == 0x20 || $0 == 0x09 }
      files.board = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
    files.secrets = try bytes(of: CardFiles.secretsName)
    return files
  }

  private func bytes(of name: String) throws(FileError) -> [UInt8]? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    do throws(ReadError) {
      let bytes = try readWhole(path(name), atMost: FileBounds.bytes)
      return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    } catch {
      switch error {
      case .system(let error) where error.code == Errno.noSuchFile: return nil
      case .system(let error):
        throw FileError(path: path(name), message: SystemReason.texts(of: error.code))
      case .tooLarge:
        throw FileError(path: path(name), message: SystemReason.tooLarge.texts)
      }
    }
  }

  /// Says on the card why its files were not taken, for whoever reads it on another computer.
  func tell(_ text: String) {
    let path = path(Self.complaintName)
    // A card that cannot be written is only mentioned in the journal.
    try? removeFile(path)
    try? writeDurably(Array("\(text)\n".utf8), to: path, mode: 0o644)
    try? synchroniseDirectory(folder)
  }

  /// After the files were taken: the folder gets another name, so that they are not taken again,
  /// and the secrets in it are deleted.
  func finish() throws(FileAccessError) {
    try? removeFile(path(Self.complaintName))
    try removeFormer()
    try writing(folder) { () throws(SystemError) in
      try renameFile(folder, to: done)
      try synchroniseDirectory(place)
    }
    try wipeDone()
  }

  /// Overwrites and deletes the secrets of a folder whose files were taken.
  ///
  /// A flash card writes new bytes to other cells, and keeps the old ones until it needs them: this
  /// removes them from the file system only.
  func wipeDone() throws(FileAccessError) {
    try wipe(done, levels: 3)
  }

  /// Also in folders that somebody has put into it.
  private func wipe(_ folder: String, levels: Int) throws(FileAccessError) {
    guard levels > 0, kind(ofPath: folder) == .folder, destination(ofLink: folder) == nil else {
      return
    }
    for name in names(inFolder: folder) { try wipe("\(folder)/\(name)", levels: levels - 1) }
    let path = "\(folder)/\(CardFiles.secretsName)"
    guard kind(ofPath: path) == .other else { return }
    try writing(path) { () throws(SystemError) in
      // FAT has no links; what one leads to is not the card's.
      if destination(ofLink: path) == nil { try Self.overwrite(path) }
      try removeFile(path)
      try synchroniseDirectory(folder)
    }
  }

  private static func overwrite(_ path: String) throws(SystemError) {
    let file = try Descriptor(opening: path, [.write, .noFollow])
    let size = try file.status().size
    // No longer than what was read.
    let count = min(Int(size), FileBounds.bytes)
    try file.writeAll([UInt8](repeating: 0, count: count))
    try file.synchronise()
  }

  /// Removes what an earlier start has left under the name that this one needs.
  private func removeFormer() throws(FileAccessError) {
    guard kind(ofPath: done) != nil || destination(ofLink: done) != nil else { return }
    try wipeDone()
    try writing(done) { () throws(SystemError) in try Self.remove(done) }
  }

  private static func remove(_ path: String) throws(SystemError) {
    guard kind(ofPath: path) == .folder, destination(ofLink: path) == nil else {
      try removeFile(path)
      return
    }
    for name in names(inFolder: path) { try remove("\(path)/\(name)") }
    try removeFolder(path)
  }
}

/// What `trackerctl first-boot` says, in the journal and on the card.
enum FirstBootPhrase: String, Catalogue {
  case needsRoot, readOnly, incomplete, taken, noUser

  var texts: Texts {
    switch self {
    case .needsRoot:
      Texts(
        ca: "first-boot canvia el sistema; feu sudo trackerctl first-boot",
        es: "first-boot cambia el sistema; use sudo trackerctl first-boot",
        en: "first-boot changes the system; run it with sudo",
        fr: "first-boot modifie le système ; lancez-le avec sudo")
    case .readOnly:
      Texts(
        ca: "no s'hi pot escriure, i els secrets hi quedarien; munteu-la amb escriptura i "
          + "reinicieu",
        es: "no se puede escribir, y los secretos quedarían ahí; móntela con escritura y reinicie",
        en: "cannot be written, so that the secrets would stay there; mount it for writing and "
          + "start again",
        fr: "on ne peut pas y écrire, et les secrets y resteraient ; montez-la en écriture et "
          + "redémarrez")
    case .incomplete:
      Texts(
        ca: "no té el fitxer {1}; torneu a copiar tot el directori",
        es: "no tiene el fichero {1}; vuelva a copiar todo el directorio",
        en: "has no file {1}; copy the whole folder again",
        fr: "n'a pas de fichier {1} ; copiez de nouveau tout le répertoire")
    case .taken:
      Texts(
        ca: "la configuració de la targeta és al seu lloc, per a l'equip «{1}»; els secrets s'han "
          + "esborrat de la targeta",
        es: "la configuración de la tarjeta está en su sitio, para el equipo «{1}»; los secretos "
          + "se han borrado de la tarjeta",
        en: "the card's settings are in place, for the team \"{1}\"; the secrets were deleted from "
          + "the card",
        fr: "les réglages de la carte sont en place, pour l'équipe « {1} » ; les secrets ont été "
          + "effacés de la carte")
    case .noUser:
      Texts(
        ca: "no té l'usuari trailtracker; instal·leu el paquet",
        es: "no tiene el usuario trailtracker; instale el paquete",
        en: "has no user trailtracker; install the package",
        fr: "n'a pas d'utilisateur trailtracker ; installez le paquet")
    }
  }
}
