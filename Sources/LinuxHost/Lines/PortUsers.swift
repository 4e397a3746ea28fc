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
  /// - Parameter device: its file, or a link to it.
  func users(of device: String) -> [PortUser] {
    guard let device = DeviceIdentity(ofFile: device) else { return [] }
    let own = "\(getpid())"
    let others = names(inFolder: folder).filter { $0 != own }.compactMap { Int32($0) }.sorted()
    return others.filter { has(device, $0) }.map(user)
  }

  private func has(_ device: DeviceIdentity, _ process: Int32) -> Bool {
    let files = "\(folder)/\(process)/fd"
    var isOpen = false
    for name in names(inFolder: files) {
      let link = "\(files)/\(name)"
      guard let target = destination(ofLink: link), target.hasPrefix("/dev/") else { continue }
      // Whoever has the other end of a pseudo-terminal stands for the device.
      if target.hasSuffix("/ptmx") { return false }
      // An unplugged device's number may be the next one's by now.
      if target.hasSuffix(" (deleted)") { continue }
      isOpen = isOpen || DeviceIdentity(ofFile: link) == device
    }
    return isOpen
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
}

/// What distinguishes a device from all others. Its path does not: a container's /dev/pts/1 is not
/// this machine's, and its /dev/modem may be this machine's /dev/ttyUSB2.
private struct DeviceIdentity: Equatable {
  private let number: dev_t
  /// The devpts instance, each of which numbers its pseudo-terminals from 0; 0 for other devices.
  private let instance: dev_t

  /// - Returns: `nil` if there is no character device.
  init?(ofFile path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    number = status.st_rdev
    instance = SerialPort.isPseudoTerminal(number) ? status.st_dev : 0
  }
}
