import Foundation

/// A folder laid out as sysfs is: devices in folders within each other, and links to them in
/// classes and buses.
public final class SensorTree {
  public let root: String
  private let files = FileManager.default

  public init(in folder: URL) throws {
    root = folder.path
    for name in ["bus/iio/devices", "class/hwmon", "class/power_supply"] {
      try make("\(root)/sys/\(name)")
    }
  }

  /// A converter: `iio:device2` at `1-0048` on the I²C bus.
  public func iio(
    _ number: Int, _ name: String, at place: String = "1-0048", _ contents: [String: String]
  ) throws {
    let entry = "iio:device\(number)"
    try add(
      "\(root)/sys/devices/i2c-1/\(place)/\(entry)", link: "bus/iio/devices/\(entry)",
      contents.merging(["name": name]) { $1 })
  }

  public func hwmon(
    _ number: Int, _ name: String, at place: String = "1-0042", _ contents: [String: String]
  ) throws {
    let entry = "hwmon\(number)"
    try add(
      "\(root)/sys/devices/i2c-1/\(place)/hwmon/\(entry)", link: "class/hwmon/\(entry)",
      contents.merging(["name": name]) { $1 })
  }

  public func supply(_ name: String, _ contents: [String: String]) throws {
    try add(
      "\(root)/sys/devices/i2c-1/1-0036/power_supply/\(name)", link: "class/power_supply/\(name)",
      contents)
  }

  /// Takes a device away; its link goes with it.
  public func remove(_ link: String) throws {
    let path = "\(root)/sys/\(link)"
    let target = try files.destinationOfSymbolicLink(atPath: path)
    try files.removeItem(atPath: path)
    try files.removeItem(atPath: target)
  }

  /// Replaces the content of a file of a device at once, as the kernel does.
  public func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/sys/\(file)"), options: .atomic)
  }

  /// From now on reading that file fails as when a bus does not answer: `/proc/self/mem` has
  /// nothing at its beginning.
  public func breakFile(_ file: String) throws {
    let path = "\(root)/sys/\(file)"
    try files.removeItem(atPath: path)
    try files.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
  }

  private func add(_ folder: String, link: String, _ contents: [String: String]) throws {
    try make(folder)
    for (name, text) in contents {
      try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    try files.createSymbolicLink(atPath: "\(root)/sys/\(link)", withDestinationPath: folder)
  }

  private func make(_ folder: String) throws {
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }
}
