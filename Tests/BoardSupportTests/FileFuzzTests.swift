import Foundation
import Testing

@testable import BoardSupport

/// Texts that were right once, with some bytes wrong. The seed is fixed: a run is always the same.
///
/// A trap ends the process and leaves no message, so each block of cases says beforehand how to run
/// it alone. `FUZZ_CASES=200000` runs longer than the usual 10 000 of each.
@Suite("No settings file can trap", .serialized)
struct FileFuzzTests {
  static let configuration = """
    // A configuration
    { capture: { policy: "standard", interval: "10 min", minimumDistance: "50 m",
                 heartbeat: "30 min" },
      accuracy: "200 m", maximumSpeed: "50 m/s", /* fast */
      transmit: { interval: "10 min", betweenUploads: 'off' },
      reconnectFloor: "10 min", receiver: "always", finishAfter: "32 h", reserve: "10 %",
      startsBySelf: true, notBefore: "2026-01-01", team: "Els Caminants",
      bearer: "interface", apn: "internet", textAfter: "6 h", textTo: "+34600000000",
      device: "6f1c2a52-0d57-4a86-9d8e-3f0b8b1f2c11", }
    """

  @Test("mutated boards yield a board or one line")
  func boards() {
    fuzz(Fixture.board, cases: 10_000, name: "boards") { (root) throws(FileError) in
      _ = try BoardDescription.parse(root, identifier: "x")
    }
  }

  @Test("a mutated part among others yields a board or one line")
  func parts() throws {
    let others = try ["pi-4b", "sim5320", "ina219"].map {
      try BoardPart(path: "\(BoardTests.directory)/\($0)")
    }
    fuzz(PartMistakeTests.receiver, cases: 10_000, name: "parts") { (root) throws(FileError) in
      let parts = others + [try BoardPart(root, identifier: "mine")]
      _ = try BoardDescription(Combination(parts, identifier: "x.json5"))
    }
  }

  @Test("mutated configurations yield a configuration or one line")
  func configurations() {
    fuzz(Self.configuration, cases: 10_000, name: "configurations") { (root) throws(FileError) in
      _ = try ConfigurationFile(root)
    }
  }

  private func fuzz(
    _ text: String, cases: Int, name: String, read: (FileNode) throws(FileError) -> Void
  ) {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["FUZZ_FIRST"].flatMap { Int($0) } ?? 0
    let cases = environment["FUZZ_CASES"].flatMap { Int($0) } ?? cases
    var errors = 0
    for index in first..<max(first, cases) {
      let command = "FUZZ_FIRST=\(index) swift test --filter FileFuzzTests/\(name)"
      if index.isMultiple(of: 2500) { print("If this traps: \(command)") }
      var mutation = Mutation(seed: UInt64(index))
      let bytes = mutation.mutated(Array(text.utf8))
      let line = Fixture.line { () throws(FileError) in
        try read(try FileNode.parse(bytes, path: "x.json5"))
      }
      guard let line else { continue }
      errors += 1
      let isPlaced = line.hasPrefix("x.json5:") || line.hasPrefix(BoardTests.directory)
      let isOneLine = isPlaced && singleLine(line) == line
      #expect(isOneLine, "\(command)\n\(line)")
    }
    #expect(first > 0 || errors > cases / 2, "the mutations do not reach what they should break")
  }
}

/// Changes some bytes of a text, at random from a seed.
struct Mutation {
  /// Pieces that such texts are made of, and some that they should never see.
  static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "/*", "*/", "//", "\n", "\r", "-", "+", ".", "0",
    "99999999999999999999", "9223372036854775807", "-9223372036854775808", "1e999", "0x", "NaN",
    "Infinity", "null", "true", "\\u0000", "\\ud800", "µ", "°", "%", " mA", " h", "25:61:61", "é",
    "\u{FEFF}", "\u{2028}", "__proto__",
  ].map { Array($0.utf8) }

  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// SplitMix64.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed % UInt64(max(1, bound)))
  }

  mutating func mutated(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0...next(below: 4) {
      let position = next(below: bytes.count + 1)
      let length = min(next(below: 12), bytes.count - position)
      switch next(below: 6) {
      case 0 where position < bytes.count: bytes[position] ^= UInt8(1 << next(below: 8))
      case 1: bytes.removeSubrange(position..<position + length)
      case 2:
        let piece = Array(bytes[position..<position + length])
        bytes.insert(contentsOf: piece, at: next(below: bytes.count + 1))
      case 3: bytes = Array(bytes[..<position])
      case 4: bytes.replaceSubrange(position..<position + length, with: piece())
      default: bytes.insert(contentsOf: piece(), at: position)
      }
    }
    return bytes
  }

  private mutating func piece() -> [UInt8] { Self.pieces[next(below: Self.pieces.count)] }
}
