import BoardSupport
import CommandLineSupport
import FirstSetup
import Glibc
import SystemCalls
import Wording

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
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_flag & UInt(ST_RDONLY) == 0 else {
      throw FileError(path: place, message: FirstBootPhrase.readOnly.texts)
    }
  }

  /// The files, without what editors of other systems put before them.
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
    do throws(ReadFailure) {
      let bytes = try readWhole(path(name), atMost: largestFileBytes)
      return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    } catch {
      switch error {
      case .system(ENOENT): return nil
      case .system(let code):
        throw FileError(path: path(name), message: SystemReason.texts(of: code))
      case .tooLarge:
        throw FileError(path: path(name), message: SystemReason.tooLarge.texts)
      }
    }
  }

  /// Says on the card why its files were not taken, for whoever reads it on another computer.
  func tell(_ text: String) {
    let path = path(Self.complaintName)
    // A card that cannot be written is only mentioned in the journal.
    unlink(path)
    try? writeDurably(Array("\(text)\n".utf8), to: path, mode: 0o644)
    try? synchroniseDirectory(folder)
  }

  /// After the files were taken: the folder gets another name, so that they are not taken again,
  /// and the secrets in it are deleted.
  func finish() throws(FileProblem) {
    unlink(path(Self.complaintName))
    try removeFormer()
    try writing(folder) { () throws(SystemError) in
      guard rename(folder, done) == 0 else { throw .last }
      try synchroniseDirectory(place)
    }
    try wipeDone()
  }

  /// Overwrites and deletes the secrets of a folder whose files were taken.
  ///
  /// A flash card writes new bytes to other cells, and keeps the old ones until it needs them: this
  /// removes them from the file system only.
  func wipeDone() throws(FileProblem) {
    try wipe(done, levels: 3)
  }

  /// Also of a folder that somebody has dropped into it.
  private func wipe(_ folder: String, levels: Int) throws(FileProblem) {
    guard levels > 0, kind(ofPath: folder) == .folder, destination(ofLink: folder) == nil else {
      return
    }
    for name in names(inFolder: folder) { try wipe("\(folder)/\(name)", levels: levels - 1) }
    let path = "\(folder)/\(CardFiles.secretsName)"
    guard kind(ofPath: path) == .other else { return }
    try writing(path) { () throws(SystemError) in
      // FAT has no links; what one leads to is not the card's.
      if destination(ofLink: path) == nil { try Self.overwrite(path) }
      guard unlink(path) == 0 else { throw .last }
      try synchroniseDirectory(folder)
    }
  }

  private static func overwrite(_ path: String) throws(SystemError) {
    let file = try Descriptor(opening: path, O_WRONLY | O_NOFOLLOW)
    let size = try file.status().size
    // No longer than what was read.
    let count = min(Int(size), largestFileBytes)
    try file.writeAll([UInt8](repeating: 0, count: count))
    try file.synchronise()
  }

  /// Removes what an earlier start has left under the name that this one needs.
  private func removeFormer() throws(FileProblem) {
    guard kind(ofPath: done) != nil || destination(ofLink: done) != nil else { return }
    try wipeDone()
    try writing(done) { () throws(SystemError) in try Self.remove(done) }
  }

  private static func remove(_ path: String) throws(SystemError) {
    guard kind(ofPath: path) == .folder, destination(ofLink: path) == nil else {
      guard unlink(path) == 0 else { throw .last }
      return
    }
    for name in names(inFolder: path) { try remove("\(path)/\(name)") }
    guard rmdir(path) == 0 else { throw .last }
  }
}
