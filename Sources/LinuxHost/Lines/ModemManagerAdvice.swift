import Glibc
import SystemCalls

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
      let program = PortUsers(root: root).modemManager
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
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Four hexadecimal digits, as lsusb and udev write them.
  private static func digits(_ number: UInt16) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
