/// Writes NMEA 0183 sentences, with fields from integers, checksum and CR LF.
struct SentenceWriter {
  private(set) var bytes: [UInt8] = []
  private var start = 0

  /// The bytes of the last sentence in `bytes`.
  var sentenceStart: Int { start }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  mutating func append(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

  /// Replaces the last sentence with other bytes.
  mutating func replaceSentence(with damaged: [UInt8]) {
    bytes.replaceSubrange(start..., with: damaged)
  }

  mutating func begin(_ talker: StaticString, _ kind: StaticString) {
    start = bytes.count
    bytes.append(UInt8(ascii: "$"))
    append(talker)
    append(kind)
  }

  /// `*`, the exclusive or of all bytes between `$` and `*` in upper-case hex, CR LF.
  mutating func end() {
    var sum: UInt8 = 0
    for index in (start + 1)..<bytes.count { sum ^= bytes[index] }
    bytes.append(UInt8(ascii: "*"))
    bytes.append(Self.hexDigit(sum >> 4))
    bytes.append(Self.hexDigit(sum & 15))
    bytes.append(13)
    bytes.append(10)
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 48 + value : 55 + value
  }

  mutating func empty(_ count: Int = 1) {
    for _ in 0..<count { bytes.append(UInt8(ascii: ",")) }
  }

  mutating func text(_ text: StaticString) {
    empty()
    append(text)
  }

  /// A whole number, padded with zeros to `width` digits.
  mutating func number(_ value: Int, width: Int = 1) {
    empty()
    digits(value, width: width)
  }

  /// `value` / 10^`places`: 12345 with three places is `12.345`.
  mutating func decimal(_ value: Int, places: Int, width: Int = 1) {
    empty()
    fixed(value, places: places, width: width)
  }

  /// A number without a comma before it, for fields with several parts.
  mutating func fixed(_ value: Int, places: Int, width: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let scale = Self.powersOfTen[places]
    let magnitude = abs(value)
    digits(magnitude / scale, width: width)
    bytes.append(UInt8(ascii: "."))
    digits(magnitude % scale, width: places)
  }

  /// `ddmm.mmmmm,N` from 1e-7 degree: exact integers, rounded once to 1e-5 minute (2 cm).
  mutating func angle(
    _ value: Int32, degreeWidth: Int, positive: StaticString, negative: StaticString
  ) {
    let minutes = (abs(Int(value)) * 60 + 50) / 100
    empty()
    digits(minutes / 6_000_000, width: degreeWidth)
    fixed(minutes % 6_000_000, places: 5, width: 2)
    text(value < 0 ? negative : positive)
  }

  mutating func digits(_ value: Int, width: Int) {
    var divisor = Self.powersOfTen[width - 1]
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(48 + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private static let powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
}
