import FieldConsole
import Glibc
import SystemCalls
import Wording

/// What a process that does not answer is doing.
enum ProcessState {
  /// `process 812 is stopped (SIGSTOP)`; `nil` if it is gone.
  static func text(of process: Int32) -> Texts? {
    guard let state = state(of: process) else { return nil }
    let phrase: ProcessPhrase =
      switch state {
      case "T": .stopped
      case "t": .traced
      case "D": .waitsForDisk
      case "Z", "X": .ended
      default: .busy
      }
    return phrase.texts("\(process)")
  }

  /// The letter of the state (proc_pid_stat(5)).
  private static func state(of process: Int32) -> Character? {
    guard let line = line(of: "/proc/\(process)/stat"),
      // The name before it may contain anything.
      let end = line.lastIndex(of: ")")
    else { return nil }
    return line[line.index(after: end)...].first { $0 != " " }
  }

  /// The only process of a name; `nil` if there is none, or several.
  static func only(named name: String) -> Int32? {
    let processes = names(inFolder: "/proc").compactMap { Int32($0) }
      .filter { line(of: "/proc/\($0)/comm") == name }
    return processes.count == 1 ? processes.first : nil
  }

  private static func line(of path: String) -> String? {
    guard let file = try? Descriptor(opening: path, O_RDONLY),
      let bytes = try? file.firstBytes(atMost: 1024)
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
