import Glibc
import SystemCalls

/// A program that has a serial port open.
public struct PortUser: Sendable, Equatable, CustomStringConvertible {
  public var process: Int32
  /// As the kernel knows it, up to 15 characters.
  public var name: String

  public var description: String { "\(name) (process \(process))" }
}

/// Finds programs by their open files, from /proc.
///
/// Only root sees those of all users; as a service trackerd sees no other program at all
/// (ProtectProc=invisible).
struct PortUsers {
  /// Without a slash at its end; empty except in tests.
  var root = ""

  private var folder: String { root + "/proc" }

  /// The programs other than this one that have a device open, in the order of their numbers.
  ///
  /// - Parameter device: the device file itself, no link to it.
  func users(of device: String) -> [PortUser] {
    let own = "\(getpid())"
    let others = names(inFolder: folder).filter { $0 != own }.compactMap { Int32($0) }.sorted()
    return others.filter { has(device, $0) }.map(user)
  }

  private func has(_ device: String, _ process: Int32) -> Bool {
    let files = "\(folder)/\(process)/fd"
    let targets = names(inFolder: files).compactMap { target(of: "\(files)/\($0)") }
    // Whoever has the other end of a pseudo-terminal stands for the device.
    return targets.contains(device) && !targets.contains { $0.hasSuffix("/ptmx") }
  }

  /// ModemManager, if it runs. Where it cannot be seen itself, its service's control group can.
  var modemManager: PortUser? {
    let name = "ModemManager"
    let all = names(inFolder: folder).compactMap { Int32($0) }.sorted().map(user)
    if let found = all.first(where: { $0.name == name }) { return found }
    let group = "\(root)/sys/fs/cgroup/system.slice/\(name).service/cgroup.procs"
    let lines = (try? readWhole(group, atMost: 4096)) ?? []
    let first = String(decoding: lines.prefix { $0 > 0x20 }, as: UTF8.self)
    return Int32(first).map { PortUser(process: $0, name: name) }
  }

  /// The program with that number.
  func user(_ process: Int32) -> PortUser {
    let bytes = (try? readWhole("\(folder)/\(process)/comm", atMost: 64)) ?? []
    let name = String(decoding: bytes.prefix { $0 >= 0x20 }, as: UTF8.self)
    return PortUser(process: process, name: name.isEmpty ? "a program" : name)
  }

  private func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
