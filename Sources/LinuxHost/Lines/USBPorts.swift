import Glibc
import SystemCalls

/// The serial ports of USB devices, from sysfs.
///
/// libserialport's enumeration has vendor and product but not the interface, and a modem has a port
/// for each interface.
struct USBPorts {
  /// /sys except in tests.
  var root = "/sys"

  /// The name of the port, `ttyUSB3`; `nil` when that device is not plugged in.
  ///
  /// Of several ports the one with the lowest interface; of several such devices the first by name.
  func name(vendor: UInt16, product: UInt16, interface: UInt8?) -> String? {
    var best: (interface: UInt8, name: String)?
    for name in ports() {
      guard let port = describe(name), port.vendor == vendor, port.product == product,
        interface == nil || port.interface == interface
      else { continue }
      if let best, best <= (port.interface, name) { continue }
      best = (port.interface, name)
    }
    return best?.name
  }

  /// Vendor and product of the device that a port belongs to; `nil` if that is not on USB.
  func numbers(of name: String) -> (vendor: UInt16, product: UInt16)? {
    describe(name).map { ($0.vendor, $0.product) }
  }

  private func ports() -> [String] {
    names(inFolder: "\(root)/class/tty").filter {
      $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM")
    }
  }

  /// Goes up from the port's device to the interface and the USB device: ttyUSB has a usb-serial
  /// device in between, ttyACM does not.
  private func describe(
    _ name: String
  ) -> (vendor: UInt16, product: UInt16, interface: UInt8)? {
    guard let real = realpath("\(root)/class/tty/\(name)/device", nil) else { return nil }
    defer { free(real) }
    let interfaceFolder = String(cString: real)
    for folder in [interfaceFolder, Self.parent(of: interfaceFolder)] {
      guard let interface = number("\(folder)/bInterfaceNumber") else { continue }
      let device = Self.parent(of: folder)
      guard let vendor = number("\(device)/idVendor"),
        let product = number("\(device)/idProduct")
      else { return nil }
      return (vendor, product, UInt8(truncatingIfNeeded: interface))
    }
    return nil
  }

  private static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The hexadecimal number in a file.
  private func number(_ path: String) -> UInt16? {
    guard let file = try? Descriptor(opening: path, O_RDONLY),
      let bytes = try? file.firstBytes(atMost: 16)
    else { return nil }
    let digits = bytes.prefix { $0 > 0x20 }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
