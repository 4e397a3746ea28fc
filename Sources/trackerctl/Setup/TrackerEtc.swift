import BoardSupport
import CommandLineSupport
import FirstSetup
import Glibc
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
  func finish() throws(FileProblem) {
    try remove(unready)
    guard kind(ofPath: ready) == .folder else { return }
    for target in targets where kind(ofPath: "\(ready)/\(target.name)") != nil {
      try writing(target.path) { () throws(SystemError) in
        guard rename("\(ready)/\(target.name)", target.path) == 0 else { throw .last }
        try synchroniseDirectory(directory(of: target.path))
      }
    }
    try remove(ready)
    try writing(folder) { () throws(SystemError) in try synchroniseDirectory(folder) }
  }

  private func makeReady(_ files: CardFiles) throws {
    let owner = SystemRoot(folder: root).tracker
    guard owner != nil || geteuid() != 0 else {
      throw FileError(path: "\(root)/etc/passwd", message: FirstBootPhrase.noUser.texts)
    }
    try writing(unready) { () throws(SystemError) in
      guard mkdir(unready, 0o700) == 0 else { throw .last }
    }
    if let secrets = files.secrets {
      try write(secrets, "secrets", mode: 0o600)
      try writing(unready) { () throws(SystemError) in
        guard let owner, geteuid() == 0 else { return }
        guard chown("\(unready)/secrets", owner.user, owner.group) == 0 else { throw .last }
      }
    }
    if let board = files.board, let text = try defaults(with: board) {
      try write(Array(text.utf8), "default", mode: 0o644)
    }
    try write(files.configuration, "trackerd.json5", mode: 0o644)
    try writing(folder) { () throws(SystemError) in
      try synchroniseDirectory(unready)
      guard rename(unready, ready) == 0 else { throw .last }
      try synchroniseDirectory(folder)
    }
  }

  private func write(_ bytes: [UInt8], _ name: String, mode: mode_t) throws(FileProblem) {
    try writing("\(unready)/\(name)") { () throws(SystemError) in
      try writeDurably(bytes, to: "\(unready)/\(name)", mode: mode)
    }
  }

  /// The text of /etc/default/trackerd with another board.
  private func defaults(with board: String) throws -> String? {
    var old = EnvironmentText.template
    if kind(ofPath: defaults) != nil {
      let bytes = try InputFile.bytes(of: defaults, atMost: largestFileBytes)
      old = String(decoding: bytes, as: UTF8.self)
    }
    return EnvironmentText.setting("BOARD", to: board, in: old)
  }

  private func remove(_ folder: String) throws(FileProblem) {
    guard kind(ofPath: folder) == .folder else { return }
    for name in names(inFolder: folder) { unlink("\(folder)/\(name)") }
    guard rmdir(folder) == 0 else { throw FileProblem("cannot remove", folder, code: errno) }
  }
}
