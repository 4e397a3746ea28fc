import CommandLineSupport
import Glibc

/// Buffers bytes for standard output, and formats numbers without creating Strings.
struct ByteOutput: ~Copyable {
  private let file: OutputFile
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  /// The longest that one line can be.
  private static let reserve = 512

  init() throws(FileProblem) {
    self.init(try OutputFile(path: nil))
  }

  // Apart, because Swift 6.2 destroys twice what has a value before an error is thrown.
  private init(_ file: consuming OutputFile) {
    self.file = file
    buffer = .allocate(capacity: 65_536)
  }

  deinit { buffer.deallocate() }

  /// Ends the line, and flushes if another might not fit.
  mutating func endLine() throws(FileProblem) {
    append(0x0A)
    if buffer.count - count < Self.reserve { try flush() }
  }

  mutating func flush() throws(FileProblem) {
    try file.write(Array(buffer[..<count]))
    count = 0
  }

  mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  mutating func append(_ text: StaticString) {
    memcpy(buffer.baseAddress! + count, text.utf8Start, text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  /// Appends an integer with at least `digits` digits.
  mutating func append(_ value: Int64, digits: Int = 1) {
    if value < 0 { append(0x2D) }
    var rest = value.magnitude
    var places = 1
    var bound: UInt64 = 10
    while places < 19, places < digits || rest >= bound {
      places += 1
      bound &*= 10
    }
    var at = count + places
    count = at
    while at > count - places {
      at -= 1
      buffer[at] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends `value` / 10^places exactly, with `places` decimals.
  mutating func append(_ value: Int64, decimals places: Int) {
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    if value < 0 { append(0x2D) }
    append(Int64(value.magnitude / scale))
    append(0x2E)
    append(Int64(value.magnitude % scale), digits: places)
  }
}
