import BoardSupport
import CommandLineSupport
import FirstSetup
import Glibc
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
  /// Below which everything is; `/` but for an image or a test.
  let root: String
  private let etc: TrackerEtc

  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let root = arguments.rootFolder
    guard root.isEmpty || kind(ofPath: root) == .folder else {
      throw FileError(path: root, message: SystemReason.texts(of: ENOTDIR))
    }
    guard geteuid() == 0 || !root.isEmpty else {
      throw UsageError(FirstBootPhrase.needsRoot.texts)
    }
    return try FirstBoot(root: root, etc: TrackerEtc(root: root)).run()
  }

  private func run() throws -> Int32 {
    umask(0o022)
    // What a power cut has left.
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
