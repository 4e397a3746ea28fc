import CommandLineSupport
import Glibc
import NMEA
import Simulation
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
  mutating func append(_ epoch: Epoch) throws(FileProblem) {
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
