import BoardSupport
import SystemCalls

/// A device in a folder of sysfs, found again by its name and place whenever it was gone.
struct SysfsDevice {
  let wanted: SensorDevice
  /// For example `/sys/bus/iio/devices`.
  let folder: String
  /// What the entries of devices begin with, such as `iio:device`.
  let prefix: String
  /// Its own folder, when it was last there.
  private var path: String?

  init(_ wanted: SensorDevice, in folder: String, prefix: String) {
    self.wanted = wanted
    self.folder = folder
    self.prefix = prefix
  }

  /// Its folder.
  mutating func locate() throws(SensorError) -> SysfsFolder {
    if let path, isWanted(path) { return SysfsFolder(path: path, name: wanted.name) }
    path = nil
    let candidates = names(inFolder: folder).filter { $0.hasPrefix(prefix) }.sorted()
      .map { "\(folder)/\($0)" }.filter(isWanted)
    guard let first = candidates.first else {
      throw .absent(name: wanted.name, folder: folder)
    }
    guard candidates.count == 1 else {
      throw .several(name: wanted.name, places: candidates.map(Self.place))
    }
    path = first
    return SysfsFolder(path: first, name: wanted.name)
  }

  /// Looks for it again at the next call.
  mutating func forget() { path = nil }

  private func isWanted(_ path: String) -> Bool {
    guard (try? SysfsFolder(path: path, name: wanted.name).text("name")) == wanted.name else {
      return false
    }
    guard let place = wanted.place else { return true }
    return Self.components(of: path).contains(place)
  }

  /// The folders that lead to a device; entries of a class or bus are links to them.
  private static func components(of path: String) -> [String] {
    (try? resolved(path))?.split(separator: "/").map(String.init) ?? []
  }

  /// The device that an entry belongs to: `1-0042` for `…/i2c-1/1-0042/hwmon/hwmon3`.
  private static func place(of path: String) -> String {
    let above = components(of: path).dropLast()
    return above.last { $0 != "hwmon" } ?? path
  }
}

/// The folder of one device in sysfs, for example `/sys/bus/iio/devices/iio:device0`.
struct SysfsFolder {
  let path: String
  /// The name of the device, for errors.
  let name: String

  /// The first line of a file.
  func text(_ file: String) throws(SensorError) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      // O_NONBLOCK, or opening a pipe in its place would block.
      let opened = try Descriptor(opening: "\(path)/\(file)", [.read, .nonBlocking])
      bytes = try opened.firstBytes(atMost: HostBounds.sensorFileBytes)
    } catch {
      if [Errno.noSuchFile, Errno.notFolder].contains(error.code) {
        throw .lacks(name: name, file: file)
      }
      throw .system(name: name, code: error.code)
    }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if line.utf8.count >= HostBounds.sensorFileBytes { throw junk(file, line) }
    return line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  func number(_ file: String) throws(SensorError) -> SensorNumber {
    let text = try text(file)
    guard let number = SensorNumber(text) else {
      throw junk(file, text)
    }
    return number
  }

  /// The number in a file that not all devices have.
  func optional(_ file: String) throws(SensorError) -> SensorNumber? {
    do throws(SensorError) { return try number(file) } catch {
      if case .lacks = error { return nil }
      throw error
    }
  }

  /// - Parameter text: the content of a file that is of no use.
  func junk(_ file: String, _ text: String) -> SensorError {
    .junk(name: name, file: file, content: String(text.prefix(20)))
  }
}

/// A number from a file in sysfs, exact to nine decimals.
struct SensorNumber: Equatable {
  /// Counted in billionths.
  let billionths: Int64

  static let zero = SensorNumber(billionths: 0)
  static let one = SensorNumber(billionths: 1_000_000_000)

  private init(billionths: Int64) { self.billionths = billionths }

  /// Reads `2047`, `-3` or `0.187500000`; `nil` for anything else, and beyond nine billions.
  init?(_ text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isNumber, let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
    // Further decimals are cut off.
    let decimals = parts.count > 1 ? parts[1].prefix(9) : ""
    let zeros = String(repeating: "0", count: 9 - decimals.count)
    guard let fraction = Int64(decimals + zeros) else { return nil }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumTooLarge) = product.addingReportingOverflow(fraction)
    if isTooLarge || isSumTooLarge { return nil }
    billionths = text.hasPrefix("-") ? -sum : sum
  }

  /// The nearest whole number of units of `1 / divisor`; `nil` if it does not fit.
  func rounded(dividedBy divisor: Int128 = 1) -> Int32? {
    Int32(exactly: Self.divide(Int128(billionths), by: divisor * 1_000_000_000))
  }

  /// `(self + offset) * scale * ratio` (sysfs-bus-iio: millivolts), rounded; `nil` if it does not
  /// fit.
  func scaled(by scale: SensorNumber, offset: SensorNumber, _ ratio: Ratio) -> Int32? {
    let sum = Int128(billionths) + Int128(offset.billionths)
    let (scaled, isTooLarge) = sum.multipliedReportingOverflow(by: Int128(scale.billionths))
    let (product, isProductTooLarge) = scaled.multipliedReportingOverflow(
      by: Int128(ratio.numerator))
    if isTooLarge || isProductTooLarge { return nil }
    let divisor = Int128(1_000_000_000) * 1_000_000_000 * Int128(ratio.denominator)
    return Int32(exactly: Self.divide(product, by: divisor))
  }

  /// Rounds half away from zero.
  private static func divide(_ dividend: Int128, by divisor: Int128) -> Int128 {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard rest.magnitude >= divisor.magnitude - rest.magnitude else { return quotient }
    return quotient + (dividend < 0 ? -1 : 1)
  }
}
