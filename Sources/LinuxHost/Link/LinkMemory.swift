import Glibc
import SystemCalls

/// A file that exists while the link is open, so that a process that was killed does not leave it
/// open for ever.
///
/// Its first line identifies the boot, because process numbers mean nothing after another one; each
/// further line is a process group and when its first process started.
final class LinkMemory {
  private let path: String
  /// What the file holds; `nil`: it does not exist, or its content is not known.
  private var saved: [pid_t]?
  private var starts: [pid_t: UInt64] = [:]

  init(path: String) { self.path = path }

  /// The process groups of an earlier process that still run; `nil`: the link was not left open.
  func leftover() -> [pid_t]? {
    guard let bytes = try? readWhole(path, atMost: 4096) else { return nil }
    unlink(path)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let boot = Self.boot, lines.first.map(String.init) == boot else { return nil }
    return lines.dropFirst().compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let group = pid_t(words[0]), group > 1, let start = UInt64(words[1])
      else { return nil }
      // The number belongs to another process now. While the group has a member, none gets it.
      if let other = Self.start(of: group), other != start { return nil }
      guard kill(-group, 0) == 0 || errno != ESRCH else { return nil }
      starts[group] = start
      return group
    }
  }

  /// - Parameter groups: `nil`: the link is closed.
  func save(_ groups: [pid_t]?) {
    guard groups != saved else { return }
    saved = groups
    guard let groups, let boot = Self.boot else {
      unlink(path)
      return
    }
    var text = boot + "\n"
    for group in groups {
      let start = starts[group] ?? Self.start(of: group) ?? 0
      starts[group] = start
      text += "\(group) \(start)\n"
    }
    // Without room on the disk it is not remembered: the link matters more.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    guard let file = try? Descriptor(opening: path, flags, mode: 0o600) else { return }
    try? file.writeAll(Array(text.utf8))
  }

  private static var boot: String? {
    guard let bytes = try? readWhole("/proc/sys/kernel/random/boot_id", atMost: 64) else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// When a process started, clock ticks since the boot (proc_pid_stat(5), field 22).
  private static func start(of process: pid_t) -> UInt64? {
    guard let bytes = try? readWhole("/proc/\(process)/stat", atMost: 4096) else { return nil }
    // The second field is the name in parentheses, which may contain anything.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ")
    return fields.count > 20 ? UInt64(fields[20]) : nil
  }
}
