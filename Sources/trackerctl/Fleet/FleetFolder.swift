import CommandLineSupport
import FirstSetup
import Glibc
import SystemCalls
import Wording

/// The folder with the files of all cards, which appears complete or not at all.
///
///     DIR/README.txt
///     DIR/07-els-senglars/trailtracker/{trackerd.json5,board,secrets}
///
/// Only its owner can read any of it. It is written as `DIR.part`, and renamed when it is on disk.
struct FleetFolder {
  struct Card {
    /// Of its folder.
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
    let signals = HeldSignals()
    let exists = kind(ofPath: path) != nil
    guard !exists || replacing else { throw UsageError(FleetText.exists.texts(path)) }
    // Of runs that were killed.
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

  private func writeCard(_ card: Card) throws(FileProblem) {
    let folder = "\(part)/\(card.name)"
    let inner = "\(folder)/\(CardFiles.folder)"
    try makeFolder(folder)
    try makeFolder(inner)
    for file in card.files.all { try writeFile("\(inner)/\(file.name)", file.bytes) }
    for path in [inner, folder] {
      try writing(path) { () throws(SystemError) in try synchroniseDirectory(path) }
    }
  }

  private func makeFolder(_ path: String) throws(FileProblem) {
    try writing(path) { () throws(SystemError) in
      guard mkdir(path, 0o700) == 0 else { throw .last }
    }
  }

  private func writeFile(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
    try writing(path) { () throws(SystemError) in try writeDurably(bytes, to: path, mode: 0o600) }
  }

  private func move(_ from: String, to: String) throws(FileProblem) {
    try writing(to) { () throws(SystemError) in
      guard rename(from, to) == 0 else { throw .last }
    }
  }

  // MARK: Removing

  /// Refuses to remove what this program has not made: somebody's home, for example.
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
  private func remove(_ folder: String) throws(FileProblem) {
    guard kind(ofPath: folder) == .folder else { return }
    for name in names(inFolder: folder) where name != Self.readmeName {
      let inner = "\(folder)/\(name)/\(CardFiles.folder)"
      for file in names(inFolder: inner) { unlink("\(inner)/\(file)") }
      rmdir(inner)
      rmdir("\(folder)/\(name)")
    }
    unlink("\(folder)/\(Self.readmeName)")
    guard rmdir(folder) == 0 else {
      throw FileProblem("cannot remove", folder, code: errno)
    }
  }
}
