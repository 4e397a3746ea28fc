import Foundation
import TestSupport

/// `trackerctl console` in a window, of a tracker that is not there: for what concerns lines only.
final class Window {
  static let prompt = "> "
  let home: ScratchFolder
  let cable: Cable

  /// - Parameters:
  ///   - words: added to the command.
  ///   - environment: added to that of the tests.
  ///   - prepare: what else there is at home.
  init(
    _ words: [String] = [], terminal: String = "vt100", environment: [String: String] = [:],
    prepare: (ScratchFolder) throws -> Void = { _ in }
  ) throws {
    home = try ScratchFolder()
    cable = try Cable(columns: 80)
    try prepare(home)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let environment = environment.merging([
      "TERM": terminal, "HOME": home.url.path, "PATH": home.url.path + ":" + path,
    ]) { given, _ in given }
    try cable.run(
      ["console", "--socket", home.path("control"), "--store", home.path("queue.db")] + words,
      environment)
    try cable.wait("exit leaves")
    try cable.wait(Self.prompt)
  }

  /// What the console takes an entered line for, by its complaint; the keys end with Enter.
  func refused(_ keys: String, as word: String) throws -> Bool {
    cable.clear()
    try cable.type(keys)
    try cable.wait("' is not a command")
    return cable.screen.contains("'\(word)' is not a command")
  }
}

extension Cable {
  /// The window gets another width.
  func resize(columns: UInt16) {
    var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }
}
