import CommandLineSupport
import NMEA
import Simulation
import SystemCalls
import TrackerCore

/// `tracker-sim decode FILE`: prints the epochs of a log, one JSON object per line.
enum Decode {
  /// - Parameter path: `-`: standard input.
  static func run(path: String) throws -> Int32 {
    var file = try TraceFile(path: path)
    var output = try ByteOutput()
    var decoder = Decoder()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try file.read(into: buffer)
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(buffer)[..<count].bindMemory(to: UInt8.self)
      var position = 0
      while let epoch = decoder.next(in: bytes.span, from: &position) {
        try output.append(epoch)
      }
    }
    while let epoch = decoder.finish() { try output.append(epoch) }
    try output.flush()
    if file.bytesRead == 0 { throw TraceError(path: path, reason: .empty) }
    let counts = decoder.counts
    if counts.accepted == 0 && counts.ignored == 0 {
      throw TraceError(path: path, reason: .noSentence)
    }
    return 0
  }
}

extension ByteOutput {
  /// Writes one epoch as a line of JSON, without the members that are unknown.
  mutating func append(_ epoch: Epoch) throws(FileAccessError) {
    append("{")
    if let time = epoch.utcMilliseconds.flatMap({ CivilTime(UTC(milliseconds: $0)) }) {
      append("\"time\":\"")
      time.forEachByte { append($0) }
      append("\",")
    }
    append("\"mode\":")
    append(Int64(epoch.mode.rawValue))
    append(",\"lat\":", epoch.latitude, decimals: 7)
    append(",\"lon\":", epoch.longitude, decimals: 7)
    append(",\"altitude\":", epoch.altitudeMillimetres, decimals: 3)
    append(",\"speed\":", epoch.speedMillimetresPerSecond, decimals: 3)
    append(",\"track\":", epoch.trackMillidegrees, decimals: 3)
    if let used = epoch.satellitesUsed {
      append(",\"satellites\":")
      append(Int64(used))
    }
    append(",\"hdop\":", epoch.hdopHundredths.map(Int32.init), decimals: 2)
    append("}")
    try endLine()
  }

  private mutating func append(_ name: StaticString, _ value: Int32?, decimals: Int) {
    guard let value else { return }
    append(name)
    append(Int64(value), decimals: decimals)
  }
}

/// Buffers bytes for standard output, and formats numbers without creating Strings.
struct ByteOutput: ~Copyable {
  private let file: OutputFile
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  /// The longest that one line can be.
  private static let reserve = 512

  init() throws(FileAccessError) {
    self.init(try OutputFile(path: nil))
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(_ file: consuming OutputFile) {
    self.file = file
    buffer = .allocate(capacity: 65_536)
  }

  deinit { buffer.deallocate() }

  /// Ends the line, and flushes if another might not fit.
  mutating func endLine() throws(FileAccessError) {
    append(0x0A)
    if buffer.count - count < Self.reserve { try flush() }
  }

  mutating func flush() throws(FileAccessError) {
    try file.write(Array(buffer[..<count]))
    count = 0
  }

  mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  mutating func append(_ text: StaticString) {
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: bytes)
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
