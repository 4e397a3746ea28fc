/// A serial line or bus of the computer: its device file and the lines of the header it occupies.
public struct Interface: Sendable, Equatable {
  /// `uart0`, `i2c1`, `spi0`.
  public var name: String
  /// The device file.
  public var device: String
  /// Offsets on the GPIO chip.
  public var lines: [Int]
  /// The lines for `config.txt` that enable it.
  public var bootLines: [String]

  /// Whether it is a serial line.
  var isSerial: Bool { name.hasPrefix("uart") }
}

/// A line of the GPIO chip that is in use.
public struct UsedLine: Sendable {
  /// The offset; for a line known by another name, that name.
  public var line: String
  /// `pins.modemPowerKey`, or the interface: `uart0`.
  public var use: String
  /// The place that uses it.
  let node: FileNode

  /// The offset, if it is known.
  public var offset: Int? { Int(line) }
}

extension FileNode {
  /// A list of offsets on the GPIO chip.
  func lineList() throws(FileError) -> [Int] {
    try elements(atMost: 40).map { (node) throws(FileError) in try node.integer(in: 0...127) }
  }

  /// A list of lines for `config.txt`.
  func bootLineList() throws(FileError) -> [String] {
    try elements(atMost: 10).map { (node) throws(FileError) in
      try node.text(atMost: 100, like: "dtparam=i2c_arm=on")
    }
  }
}
