import BoardSupport
import CommandLineSupport
import Glibc
import Reports
import SystemCalls
import Traces
import TrackerCore

/// The device identifier of a run's tracker.
///
/// Different runs must not give different captures the same GlobalIDs: a server that has those of
/// one run would take the other's for copies. So the identifier is a hash of everything that the
/// run depends on; repeating a run gives the same device.
struct RunDevice {
  private var high = Digest()
  private var low = Digest()

  /// - Throws: if a file cannot be read.
  init(_ options: SimulateOptions) throws {
    // The two halves use the same hash with different prefixes.
    low.add(0xA5)
    try add(options.trace)
    for path in try BoardDescription.files(named: options.board) { try add(path) }
    try add(options.config)
    try add(options.scenario)
    if let course = options.course { try add(course) }
    withUnsafeBytes(of: options.seed.littleEndian) { for byte in $0 { add(byte) } }
  }

  /// A UUID of version 8 (RFC 9562 §5.8).
  var identifier: UniqueID {
    UniqueID(
      high: high.value & ~0xF000 | 0x8000, low: low.value & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  private mutating func add(_ byte: UInt8) {
    high.add(byte)
    low.add(byte)
  }

  /// Adds a file's content and length.
  private mutating func add(_ file: String?) throws {
    guard let file else { return add(0) }
    var length: UInt64 = 0
    do throws(SystemError) {
      let opened = try Descriptor(opening: file, O_RDONLY)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = try opened.read(into: &buffer), count > 0 {
        for byte in buffer[..<count] { add(byte) }
        length += UInt64(count)
      }
    } catch {
      throw UsageError("\(file): \(error.reason)")
    }
    withUnsafeBytes(of: length.littleEndian) { for byte in $0 { add(byte) } }
  }

  /// For a trace that can be read only once, such as a pipe.
  static func random() -> UniqueID {
    var generator = SystemRandomNumberGenerator()
    return UniqueID(
      high: generator.next() & ~0xF000 | 0x4000,
      low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  /// The configured device, or one derived from the run's inputs.
  static func of(_ options: SimulateOptions, settings: ConfigurationFile) throws -> UniqueID {
    if let chosen = settings.device { return chosen }
    // A store in memory ends with the run, so it cannot be sent to a real server.
    guard options.store != nil else { return UniqueID(high: 0, low: 1) }
    var status = stat()
    guard stat(options.trace, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return random()
    }
    return try RunDevice(options).identifier
  }
}
