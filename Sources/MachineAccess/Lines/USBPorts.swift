import SystemCalls

/// The serial ports of USB devices, from sysfs.
///
/// libserialport's enumeration has vendor and product but not the interface, and a modem has a port
/// for each interface.
struct USBPorts {
  /// /sys except in tests.
  var root = "/sys"

  /// What a port keeps when the kernel gives it another name.
  struct Identity: Equatable {
    var vendor: UInt16
    var product: UInt16
    var interface: UInt8
    /// The folder of the device: the socket that it is plugged into.
    var socket: String

    /// Whether both are the same port of devices of the same kind.
    func isLike(_ other: Identity) -> Bool { isOfKind(of: other) && interface == other.interface }
    func isOfKind(of other: Identity) -> Bool {
      vendor == other.vendor && product == other.product
    }
  }

  /// The name of the port, `ttyUSB3`; `nil` when that device is not plugged in.
  ///
  /// Of several ports the one with the lowest interface; of several such devices the first by name.
  func name(vendor: UInt16, product: UInt16, interface: UInt8?) -> String? {
    var best: (interface: UInt8, name: String)?
    for name in ports() {
      guard let port = identity(of: name), port.vendor == vendor, port.product == product,
        interface == nil || port.interface == interface
      else { continue }
      if let best, best <= (port.interface, name) { continue }
      best = (port.interface, name)
    }
    return best?.name
  }

  /// The present name of a port that had another one: in the same socket, or else in one that had
  /// no such device then.
  func name(of port: Identity, besides others: [String]) -> String? {
    let like = ports().compactMap { name in
      identity(of: name).flatMap { $0.isLike(port) ? (name: name, socket: $0.socket) : nil }
    }
    let same = like.first { $0.socket == port.socket }
    return (same ?? like.first { !others.contains($0.socket) })?.name
  }

  /// The other sockets with devices of the same kind.
  func sockets(besides port: Identity) -> [String] {
    ports().compactMap { identity(of: $0) }.filter { $0.isOfKind(of: port) }.map(\.socket)
      .filter { $0 != port.socket }
  }

  /// Vendor and product of the device that a port belongs to; `nil` if that is not on USB.
  func numbers(of name: String) -> (vendor: UInt16, product: UInt16)? {
    identity(of: name).map { ($0.vendor, $0.product) }
  }

  /// The same for a device file, or a link to one, as in `/dev/serial/by-id`.
  func identity(atPath path: String) -> Identity? {
    var path = path
    for _ in 0..<8 {
      if let port = identity(of: String(path.split(separator: "/").last ?? "")) { return port }
      guard let target = destination(ofLink: path) else { return nil }
      path = target.hasPrefix("/") ? target : "\(Self.parent(of: path))/\(target)"
    }
    return nil
  }

  private func ports() -> [String] {
    names(inFolder: "\(root)/class/tty").filter {
      $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM")
    }
  }

  /// `nil` if the port is not on USB.
  ///
  /// Goes up from the port's device to the interface and the USB device: ttyUSB has a usb-serial
  /// device in between, ttyACM does not.
  func identity(of name: String) -> Identity? {
    guard let interfaceFolder = try? resolved("\(root)/class/tty/\(name)/device") else {
      return nil
    }
    for folder in [interfaceFolder, Self.parent(of: interfaceFolder)] {
      guard let interface = number("\(folder)/bInterfaceNumber") else { continue }
      let device = Self.parent(of: folder)
      guard let vendor = number("\(device)/idVendor"),
        let product = number("\(device)/idProduct")
      else { return nil }
      return Identity(
        vendor: vendor, product: product, interface: UInt8(truncatingIfNeeded: interface),
        socket: device)
    }
    return nil
  }

  private static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The hexadecimal number in a file.
  private func number(_ path: String) -> UInt16? {
    firstLine(of: path, atMost: 16).flatMap { UInt16($0.prefix { $0 > " " }, radix: 16) }
  }
}
