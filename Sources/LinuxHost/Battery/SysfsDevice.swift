import BoardSupport
import Glibc
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
  mutating func locate() throws(SensorProblem) -> SysfsFolder {
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
    guard let real = realpath(path, nil) else { return [] }
    defer { free(real) }
    return String(cString: real).split(separator: "/").map(String.init)
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

  /// Longer than any number or name.
  private static let mostBytes = 64

  /// The first line of a file.
  func text(_ file: String) throws(SensorProblem) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      // O_NONBLOCK, or opening a pipe in its place would block.
      let opened = try Descriptor(opening: "\(path)/\(file)", O_RDONLY | O_NONBLOCK)
      bytes = try opened.firstBytes(atMost: Self.mostBytes)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { throw .lacks(name: name, file: file) }
      throw .system(name: name, code: error.code)
    }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if line.utf8.count >= Self.mostBytes { throw junk(file, line) }
    return line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  func number(_ file: String) throws(SensorProblem) -> SensorNumber {
    let text = try text(file)
    guard let number = SensorNumber(text) else {
      throw junk(file, text)
    }
    return number
  }

  /// The number in a file that not all devices have.
  func optional(_ file: String) throws(SensorProblem) -> SensorNumber? {
    do throws(SensorProblem) { return try number(file) } catch {
      if case .lacks = error { return nil }
      throw error
    }
  }

  /// - Parameter text: the content of a file that is of no use.
  func junk(_ file: String, _ text: String) -> SensorProblem {
    .junk(name: name, file: file, content: String(text.prefix(20)))
  }
}
