public import Foundation

/// The part of sysfs that tells about serial ports of USB devices, laid out as the kernel does:
/// port, interface and device are folders within each other, and the class has links to the ports.
public final class DeviceTree {
  public let system: String
  public let devices: String
  private let files = FileManager.default

  public init(in folder: URL) throws {
    system = folder.appendingPathComponent("sys").path
    devices = folder.appendingPathComponent("dev").path
    try make("\(system)/class/tty")
    try make(devices)
    // A port of the machine's own, which is no USB device.
    try make("\(system)/devices/platform/serial8250/tty/ttyS0")
    try link("\(system)/class/tty/ttyS0", to: "\(system)/devices/platform/serial8250/tty/ttyS0")
  }

  /// - Parameter device: what the port's device file leads to.
  public func plug(
    _ name: String, vendor: String, product: String, interface: String, to device: String?
  ) throws {
    let usb = "\(system)/devices/pci0/usb1/1-\(vendor)"
    let part = "\(usb)/1-\(vendor):1.\(interface)"
    // usb-serial has a device of its own between the interface and the port, cdc-acm has none.
    let parent = name.hasPrefix("ttyUSB") ? "\(part)/\(name)" : part
    try make("\(parent)/tty/\(name)")
    try Data("\(vendor)\n".utf8).write(to: URL(fileURLWithPath: "\(usb)/idVendor"))
    try Data("\(product)\n".utf8).write(to: URL(fileURLWithPath: "\(usb)/idProduct"))
    try Data("\(interface)\n".utf8).write(to: URL(fileURLWithPath: "\(part)/bInterfaceNumber"))
    try link("\(parent)/tty/\(name)/device", to: parent)
    try link("\(system)/class/tty/\(name)", to: "\(parent)/tty/\(name)")
    if let device { try link("\(devices)/\(name)", to: device) }
  }

  public func unplug(_ name: String) throws {
    try files.removeItem(atPath: "\(system)/class/tty/\(name)")
    try files.removeItem(atPath: "\(devices)/\(name)")
  }

  private func make(_ folder: String) throws {
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func link(_ path: String, to target: String) throws {
    try files.createSymbolicLink(atPath: path, withDestinationPath: target)
  }
}
