import SystemCalls

/// A program that has a serial port open.
public struct PortUser: Sendable, Equatable, CustomStringConvertible {
  var process: Int32
  /// As the kernel knows it, up to 15 characters.
  var name: String

  public var description: String { "\(name) (process \(process))" }
}

/// Finds programs by their open files, from /proc.
///
/// Only root sees those of all users; as a service trackerd sees no other program at all
/// (ProtectProc=invisible).
public struct PortUsers {
  /// Without a slash at its end; empty except in tests.
  private let root: String

  public init(below root: String = "") { self.root = root }

  private var folder: String { root + "/proc" }

  /// The programs other than this one that have a device open, in the order of their numbers.
  ///
  /// - Parameter device: its file, or a link to it.
  public func users(of device: String) -> [PortUser] {
    guard let device = DeviceIdentity(ofFile: device) else { return [] }
    let own = "\(ownProcess)"
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
  private let number: UInt64
  /// The devpts instance, each of which numbers its pseudo-terminals from 0; 0 for other devices.
  private let instance: UInt64

  /// - Returns: `nil` if there is no character device.
  init?(ofFile path: String) {
    guard let status = try? FileStatus(path), status.kind == .characterDevice else { return nil }
    number = status.device
    instance = SerialPort.isPseudoTerminal(number) ? status.fileSystem : 0
  }
}

/// ModemManager opens every port that could be a modem's, and sends it commands; a program that
/// uses a port itself has to tell it to leave that alone, by a rule for udev.
public struct ModemManagerAdvice: Sendable, Equatable {
  /// `ModemManager (process 811)`
  public var program: String
  public var port: String
  /// The line for udev.
  public var rule: String

  /// Where to put it, and what to do then.
  public static let file = "/etc/udev/rules.d/99-trailtracker.rules"
  public static let sequel =
    "udevadm control --reload && udevadm trigger && systemctl restart ModemManager"

  /// `nil` if it does not run, or leaves the port alone.
  ///
  /// - Parameters:
  ///   - address: the modem's port.
  ///   - root: the root below which /proc, /sys, /run and /dev are read; not `/` in tests.
  public init?(_ address: LineAddress, below root: String = "/") {
    let root = root.hasSuffix("/") ? String(root.dropLast()) : root
    guard case .serial(let place, _) = address,
      let program = PortUsers(below: root).modemManager
    else { return nil }
    let ports = USBPorts(root: root + "/sys")
    let device: String?
    var numbers: (vendor: UInt16, product: UInt16)?
    switch place {
    case .usb(let vendor, let product, let interface):
      device = ports.name(vendor: vendor, product: product, interface: interface)
      numbers = (vendor, product)
      port = "usb:\(Self.digits(vendor)):\(Self.digits(product))"
    case .path(let path):
      device = Self.resolved(root + path).map { String($0.split(separator: "/").last ?? "") }
      numbers = device.flatMap { ports.numbers(of: $0) }
      port = path
    }
    if let device, Self.isIgnored(root + "/sys/class/tty/\(device)/dev", below: root) { return nil }
    self.program = "\(program)"
    let match =
      numbers.map {
        "ATTRS{idVendor}==\"\(Self.digits($0.vendor))\", "
          + "ATTRS{idProduct}==\"\(Self.digits($0.product))\""
      } ?? "KERNEL==\"\(device ?? String(port.split(separator: "/").last ?? ""))\""
    rule = "\(match), ENV{ID_MM_DEVICE_IGNORE}=\"1\""
  }

  /// Whether udev has that property for a device already.
  ///
  /// - Parameter file: its numbers, `188:2`.
  private static func isIgnored(_ file: String, below root: String) -> Bool {
    guard let bytes = try? readWhole(file, atMost: 64) else { return false }
    let numbers = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    guard let data = try? readWhole("\(root)/run/udev/data/c\(numbers)", atMost: 65_536) else {
      return false
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    return lines.contains("E:ID_MM_DEVICE_IGNORE=1") || lines.contains("E:ID_MM_PORT_IGNORE=1")
  }

  private static func resolved(_ path: String) -> String? {
    try? SystemCalls.resolved(path)
  }

  /// Four hexadecimal digits, as lsusb and udev write them.
  private static func digits(_ number: UInt16) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
