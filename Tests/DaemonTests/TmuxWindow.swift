import Foundation
import TestSupport

/// A terminal of tmux's, 80 columns wide, with a server of its own.
final class TmuxWindow {
  private let socket: String

  /// - Parameter words: the program that runs in it.
  init(_ words: [String], in folder: URL, rows: Int = 40) throws {
    socket = folder.appendingPathComponent("tmux").path
    // That a pane's program has ended reaches tmux as a signal, and those are blocked here.
    // `read` ends with the terminal.
    let command =
      words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
      + "; echo ended with $?; read -r end"
    _ = try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "\(rows)", command)
  }

  /// While its socket is still there. The server ends with its last session; kill-server would
  /// send it a signal, and a Process is started with all of them blocked.
  func end() { _ = try? tmux("kill-session") }

  private func tmux(_ words: String...) throws -> String {
    guard let url = Tool.url("bash") else { throw Problem("no bash") }
    // A Process ends when the last program has that inherits its descriptors, and tmux's server
    // goes on. Beside hundreds of other tests they have high numbers.
    let script = """
      for n in /proc/self/fd/*; do n=${n##*/}; [ $n -le 2 ] || eval "exec $n>&-"; done
      exec tmux "$@"
      """
    return try ProgramResult(executable: url, ["-c", script, "tmux", "-u", "-S", socket] + words)
      .output
  }

  func type(_ text: String) throws {
    _ = try tmux("send-keys", "-l", text)
    _ = try tmux("send-keys", "Enter")
  }

  /// Empties the screen.
  func clear() throws { _ = try tmux("send-keys", "-R") }

  /// What is on the screen.
  var text: String { get throws { try tmux("capture-pane", "-p", "-J") } }

  func wait(_ wanted: String) throws {
    try eventually("'\(wanted)':\n\(try text)", pause: 0.05) { try text.contains(wanted) }
  }
}
