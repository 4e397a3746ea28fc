import BoardSupport
import CommandLineSupport
import FirstSetup
import SystemCalls
import Wording

/// A tracker's files in /etc, which change all together.
struct TrackerEtc {
  /// A file to install.
  private struct Target {
    /// Its name in `ready`.
    var name: String
    var path: String
  }

  private let root: String
  private var folder: String { "\(root)/etc/trailtracker" }
  /// New files that are being written, and do not count yet.
  private var unready: String { "\(folder)/first-boot.new" }
  /// New files that are on the disk, all of them. They have to be moved to their places.
  private var ready: String { "\(folder)/first-boot" }
  private var defaults: String { "\(root)/etc/default/trackerd" }

  init(root: String) { self.root = root }

  /// The configuration comes last: without it trackerd does not start.
  private var targets: [Target] {
    [
      Target(name: "secrets", path: "\(folder)/secrets"),
      Target(name: "default", path: defaults),
      Target(name: "trackerd.json5", path: "\(folder)/trackerd.json5"),
    ]
  }

  /// Puts new files in the place of the old ones: all of them, or none.
  func take(_ files: CardFiles) throws {
    try makeReady(files)
    try finish()
  }

  /// Continues where a power cut interrupted it.
  func finish() throws(FileAccessError) {
    try remove(unready)
    guard kind(ofPath: ready) == .folder else { return }
    for target in targets where kind(ofPath: "\(ready)/\(target.name)") != nil {
      try writing(target.path) { () throws(SystemError) in
        try renameFile("\(ready)/\(target.name)", to: target.path)
        try synchroniseDirectory(directory(of: target.path))
      }
    }
    try remove(ready)
    try writing(folder) { () throws(SystemError) in try synchroniseDirectory(folder) }
  }

  private func makeReady(_ files: CardFiles) throws {
    let owner = SystemRoot(folder: root).tracker
    guard owner != nil || effectiveUser != 0 else {
      throw FileError(path: "\(root)/etc/passwd", message: FirstBootPhrase.noUser.texts)
    }
    try writing(unready) { () throws(SystemError) in
      try makeFolder(unready, mode: 0o700)
    }
    if let secrets = files.secrets {
      try write(secrets, "secrets", mode: 0o600)
      try writing(unready) { () throws(SystemError) in
        guard let owner, effectiveUser == 0 else { return }
        try setOwner(owner.user, group: owner.group, of: "\(unready)/secrets")
      }
    }
    if let board = files.board, let text = try defaults(with: board) {
      try write(Array(text.utf8), "default", mode: 0o644)
    }
    try write(files.configuration, "trackerd.json5", mode: 0o644)
    try writing(folder) { () throws(SystemError) in
      try synchroniseDirectory(unready)
      try renameFile(unready, to: ready)
      try synchroniseDirectory(folder)
    }
  }

  private func write(_ bytes: [UInt8], _ name: String, mode: UInt32) throws(FileAccessError) {
    try writing("\(unready)/\(name)") { () throws(SystemError) in
      try writeDurably(bytes, to: "\(unready)/\(name)", mode: mode)
    }
  }

  /// The text of /etc/default/trackerd with another board.
  private func defaults(with board: String) throws -> String? {
    var old = EnvironmentText.template
    if kind(ofPath: defaults) != nil {
      let bytes = try InputFile.bytes(of: defaults, atMost: FileBounds.bytes)
      old = String(decoding: bytes, as: UTF8.self)
    }
    return EnvironmentText.setting("BOARD", to: board, in: old)
  }

  private func remove(_ folder: String) throws(FileAccessError) {
    guard kind(ofPath: folder) == .folder else { return }
    for name in names(inFolder: folder) { try? removeFile("\(folder)/\(name)") }
    do throws(SystemError) { try removeFolder(folder) } catch {
      throw FileAccessError("cannot remove", folder, code: error.code)
    }
  }
}
