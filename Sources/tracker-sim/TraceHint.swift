import Glibc
import SystemCalls

/// What may be wrong with a trace from which nothing was captured.
enum TraceHint {
  /// It has positions, but says of each that it is not valid: RMC with status V, GGA with quality
  /// 0. Converters write that for a track that does not say what kind of fix its points were.
  case positionsDeclaredInvalid

  /// As much of a trace is looked at, bytes.
  private static let much = 1 << 20

  /// - Parameter path: standard input cannot be read again, and gives no hint.
  /// - Returns: `nil` if nothing is known to be wrong.
  init?(path: String) {
    guard path != "-", let file = try? Descriptor(opening: path, O_RDONLY) else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < Self.much, let count = try? file.read(into: &buffer), count > 0 {
      bytes += buffer[..<count]
    }
    let isFound = bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).contains { line in
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard fields.count > 6, line.first == UInt8(ascii: "$") else { return false }
      if fields[0].suffix(3).elementsEqual("RMC".utf8) {
        return fields[2].elementsEqual("V".utf8) && !fields[3].isEmpty
      }
      return fields[0].suffix(3).elementsEqual("GGA".utf8)
        && fields[6].elementsEqual("0".utf8) && !fields[2].isEmpty
    }
    guard isFound else { return nil }
    self = .positionsDeclaredInvalid
  }
}
