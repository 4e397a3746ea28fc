import Foundation
import TestSupport

/// A terminal at which a technician sits, of either kind: 80 by 24, with a console in it.
final class TechnicianTerminal {
  enum Kind: String, CaseIterable {
    /// A window, as over ssh.
    case tmux
    /// A serial line with agetty, as README's drop-in has it.
    case agetty
  }

  private enum End {
    case window(TmuxWindow)
    case line(Cable)
  }

  private let end: End
  private static let prompt = ">"

  /// Begins a console.
  ///
  /// - Parameter shell: the words that run a command on the tracker's machine.
  init(_ kind: Kind, in shell: [String], folder: URL) throws {
    switch kind {
    case .tmux:
      let console = "exec '\(Built.program("trackerctl").path)' console"
      end = .window(try TmuxWindow(shell + [console], in: folder, rows: 24))
    case .agetty:
      let cable = try Cable()
      try cable.login("", in: shell)
      end = .line(cable)
    }
  }

  deinit {
    if case .window(let window) = end { window.end() }
  }

  /// Presses a key, as often as a person does who sees nothing.
  ///
  /// - Returns: the first screen.
  func connect() throws -> String {
    if case .line(let cable) = end {
      // The console asks the line's terminal for its size.
      try again {
        try cable.type("\r")
        cable.read(within: 0.3)
        return cable.screen.contains("\u{1B}[6n")
      }
      cable.clear()
      try cable.type("\u{1B}[24;80R")
    }
    return try screen { $0.contains("exit leaves") }
  }

  /// Types a line.
  ///
  /// - Returns: what is on the screen once the console has the next prompt.
  func answer(to line: String) throws -> String {
    switch end {
    case .window(let window):
      try window.clear()
      try window.type(line)
    case .line(let cable):
      cable.clear()
      try cable.type(line + "\r")
    }
    // What was typed is on a line of its own before anything is answered; long answers scroll.
    return try screen { $0.contains(line + "\n") || $0.count { $0 == "\n" } > 20 }
  }

  /// Types a last line.
  ///
  /// - Returns: whether the console ends.
  func leaves(with line: String) throws -> Bool {
    switch end {
    case .window(let window):
      try window.type(line)
      try window.wait("ended with 0")
      return true
    case .line(let cable):
      try cable.type(line + "\r")
      return cable.ends(within: 10) && cable.code == 0
    }
  }

  private func screen(when isThere: (String) -> Bool) throws -> String {
    var text = ""
    try again {
      text = try visible()
      return isThere(text) && text.hasSuffix(Self.prompt)
    }
    return text
  }

  private func visible() throws -> String {
    switch end {
    case .window(let window):
      return try window.text.trimmingCharacters(in: .whitespacesAndNewlines)
    case .line(let cable):
      cable.read(within: 0.05)
      return cable.screen.replacing("\r\n", with: "\n").replacing("\r", with: "")
        .replacing(/\u{1B}(\[[0-9;?]*[A-Za-z]|[78])/, with: "")
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Again and again, until it is done.
  private func again(_ isDone: () throws -> Bool) throws {
    try eventually("the console to go on:\n\(try visible())", isDone)
  }
}
