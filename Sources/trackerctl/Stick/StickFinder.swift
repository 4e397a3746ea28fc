import CommandLineSupport
import Glibc
import SystemCalls
import Wording

/// A file system on something that can be pulled out.
struct Stick: Equatable {
  /// `/dev/sda1`
  var device: String
  /// Where it is mounted already, as by a desktop.
  var mountPoint: String?
}

/// Finds the stick that somebody has plugged in.
struct StickFinder {
  /// Instead of the root folder, for tests.
  var root = ""

  /// - Throws: that there is none, or more than one.
  func stick() throws -> Stick {
    let found = sticks()
    guard let first = found.first else {
      throw UsageError(CommandPhrase.noStick.texts)
    }
    guard found.count == 1 else {
      let names = found.map(\.device).joined(separator: ", ")
      throw UsageError(CommandPhrase.severalSticks.texts(names))
    }
    return first
  }

  func sticks() -> [Stick] {
    let mounted = mountPoints()
    let disks = names(in: "/sys/block").filter { isRemovable($0) }
    return disks.flatMap { (disk: String) -> [Stick] in
      let parts = names(in: "/sys/block/\(disk)").filter { name in
        name.hasPrefix(disk) && isThere("/sys/block/\(disk)/\(name)/partition")
      }
      // A stick without a partition table is one file system.
      let folders = parts.isEmpty ? [disk] : parts.map { "\(disk)/\($0)" }
      let points = folders.map { mounted[text("/sys/block/\($0)/dev")] ?? [] }
      // What the system itself runs from is no stick, though it may be on USB.
      if points.joined().contains(where: { isOfSystem($0) }) { return [] }
      return zip(folders, points).compactMap { folder, points in
        guard (Int64(text("/sys/block/\(folder)/size")) ?? 0) > 0 else { return nil }
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        return Stick(device: "/dev/\(name)", mountPoint: points.first)
      }
    }
  }

  private func isOfSystem(_ point: String) -> Bool {
    point == "/"
      || ["/boot", "/usr", "/var", "/home", "/etc", "/opt", "/srv", "/root"].contains {
        point == $0 || point.hasPrefix($0 + "/")
      }
  }

  /// Card readers and USB sticks say that they are removable; USB disks do not, and are on USB.
  private func isRemovable(_ disk: String) -> Bool {
    guard !["loop", "ram", "zram", "dm-", "md", "mmcblk"].contains(where: { disk.hasPrefix($0) })
    else { return false }
    if text("/sys/block/\(disk)/removable") == "1" { return true }
    // The name is a link to the device in the tree of buses.
    guard let resolved = realpath(root + "/sys/block/\(disk)", nil) else { return false }
    defer { free(resolved) }
    return String(cString: resolved).has("/usb")
  }

  /// By `major:minor` (proc_pid_mountinfo(5)); a file system may be mounted in several places.
  private func mountPoints() -> [String: [String]] {
    var points: [String: [String]] = [:]
    for line in text("/proc/self/mountinfo").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 4 else { continue }
      points[String(words[2]), default: []].append(String(words[4]).exchanging("\\040", for: " "))
    }
    return points
  }

  private func names(in folder: String) -> [String] {
    SystemCalls.names(inFolder: root + folder).sorted()
  }

  private func isThere(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// Without the end of its last line.
  private func text(_ path: String) -> String {
    let bytes = (try? readWhole(root + path, atMost: 1 << 20)) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    return text.last?.isNewline == true ? String(text.dropLast()) : text
  }
}
