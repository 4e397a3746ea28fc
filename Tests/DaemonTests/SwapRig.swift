import Foundation
import TestSupport
import Testing

/// Little memory and some swap, as on a small board: a control group with a limit on memory, of
/// version 1 or 2, and a swap file where the machine has no swap.
///
/// Only root can set these up.
final class SwapRig {
  /// Whether this machine lets us; tried out once.
  static let isPossible = (try? SwapRig(FileManager.default.temporaryDirectory)) != nil
  static let reason: Comment = "needs root, swap and a control group that limits memory"

  private let group: URL
  private let limit: String
  private let unlimited: String
  private var swapFile: String?

  /// - Parameter folder: where the swap file may be, on a file system that can hold one.
  init(_ folder: URL) throws {
    let roots = [
      ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "-1"),
      ("/sys/fs/cgroup", "memory.high", "max"),
    ]
    let name = "trailtracker-\(UUID().uuidString)"
    let made = roots.first { root, limit, _ in
      let path = "\(root)/\(name)"
      if mkdir(path, 0o755) == 0, access("\(path)/\(limit)", W_OK) == 0 { return true }
      rmdir(path)
      return false
    }
    guard let made else { throw Problem("no control group that limits memory can be made") }
    group = URL(fileURLWithPath: "\(made.0)/\(name)")
    (limit, unlimited) = (made.1, made.2)
    let swaps = try String(contentsOfFile: "/proc/swaps", encoding: .utf8)
    if swaps.split(separator: "\n").count < 2 { try addSwap(in: folder) }
  }

  deinit {
    rmdir(group.path)
    guard let swapFile else { return }
    _ = try? Self.tool("swapoff", swapFile)
    unlink(swapFile)
  }

  /// The words that start a program in the group.
  var wrapper: [String] {
    ["/bin/sh", "-c", "echo $$ > '\(group.path)/cgroup.procs' && exec \"$@\"", "sh"]
  }

  /// Takes from the group all memory that it can do without for a moment.
  func squeeze() {
    // The kernel refuses a limit that it cannot bring about, and has tried.
    write("1M", to: limit)
    write(unlimited, to: limit)
  }

  private func write(_ text: String, to name: String) {
    let file = open(group.appendingPathComponent(name).path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = Glibc.write(file, text, text.utf8.count)
    close(file)
  }

  private func addSwap(in folder: URL) throws {
    let file = folder.appendingPathComponent("swap-\(UUID().uuidString)").path
    swapFile = file
    let made = FileManager.default.createFile(
      atPath: file, contents: Data(count: 64 << 20), attributes: [.posixPermissions: 0o600])
    guard made, try Self.tool("mkswap", file), try Self.tool("swapon", file) else {
      throw Problem("no swap can be had")
    }
  }

  private static func tool(_ name: String, _ argument: String) throws -> Bool {
    try ProgramResult(running: ["/sbin/\(name)", argument]).code == 0
  }
}
