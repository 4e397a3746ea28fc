@testable import NMEA

/// Adds `$`, checksum and line end to a sentence's body.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(UInt8(0), ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}

/// Parses one sentence; the body of it, or a whole line that begins with `$`.
func parse(_ text: String) throws(SentenceError) -> Sentence {
  let line = Array((text.hasPrefix("$") ? text : sentence(text)).utf8)
  return try Sentence(parsing: line.span)
}

/// One sentence, decoded, of whichever kind.
enum Sentence: Sendable, Equatable {
  case rmc(RMC)
  case gga(GGA)
  case gns(GNS)
  case gll(GLL)
  case zda(ZDA)
  case gsa(GSA)
  case gsv(GSV)
  case vtg(VTG)

  /// Decodes one line, with or without its line end.
  ///
  /// A missing checksum is accepted here: the rule for that (see `Decoder`) needs the stream.
  init(parsing line: Span<UInt8>) throws(SentenceError) {
    let address = try SentenceAddress(of: line)
    var fields = address.fields
    switch address.kind {
    case .rmc: self = .rmc(try RMC(line, &fields))
    case .gga: self = .gga(try GGA(line, &fields))
    case .gns: self = .gns(try GNS(line, &fields))
    case .gll: self = .gll(try GLL(line, &fields))
    case .zda: self = .zda(try ZDA(line, &fields))
    case .gsa: self = .gsa(try GSA(line, &fields))
    case .gsv: self = .gsv(try GSV(line, &fields))
    case .vtg: self = .vtg(try VTG(line, &fields))
    }
  }
}

extension SentenceAddress {
  /// Finds the last sentence in a line (a TAG block or noise may stand before it) and verifies
  /// its checksum, if it has one.
  init(of line: Span<UInt8>) throws(SentenceError) {
    var end = line.count
    while end > 0, line[unchecked: end &- 1] <= 0x20 { end &-= 1 }
    var start = end &- 1
    while start >= 0, line[unchecked: start] != .dollar { start &-= 1 }
    guard start >= 0 else { throw .notASentence }
    let piece = Piece(of: line, from: start, to: end)
    switch piece.checksum {
    case .differs: throw .checksumMismatch
    case .cutOff: throw .notASentence
    case .absent where !piece.looksLikeSentence(in: line): throw .notASentence
    case .absent, .agrees: break
    }
    self = try Self(in: line, from: start, to: piece.bodyEnd)
  }
}

/// The values of one kind of sentence; `nil` for another kind.
extension Sentence {
  var rmc: RMC? { if case .rmc(let values) = self { values } else { nil } }
  var gga: GGA? { if case .gga(let values) = self { values } else { nil } }
  var gns: GNS? { if case .gns(let values) = self { values } else { nil } }
  var gll: GLL? { if case .gll(let values) = self { values } else { nil } }
  var zda: ZDA? { if case .zda(let values) = self { values } else { nil } }
  var gsa: GSA? { if case .gsa(let values) = self { values } else { nil } }
  var gsv: GSV? { if case .gsv(let values) = self { values } else { nil } }
  var vtg: VTG? { if case .vtg(let values) = self { values } else { nil } }
}

struct Decoded: Equatable {
  var epochs: [Epoch] = []
  var counts = SentenceCounts()
}

/// Decodes bytes given in chunks of the lengths that `next` names.
func decode(_ bytes: [UInt8], chunks next: () -> Int = { Int.max }) -> Decoded {
  var decoder = Decoder()
  var result = Decoded()
  var start = 0
  while start < bytes.count {
    let count = min(max(1, next()), bytes.count - start)
    let chunk = Array(bytes[start..<start + count])
    var position = 0
    while let epoch = decoder.next(in: chunk.span, from: &position) { result.epochs.append(epoch) }
    start += count
  }
  while let epoch = decoder.finish() { result.epochs.append(epoch) }
  result.counts = decoder.counts
  return result
}

func decode(_ text: String) -> Decoded { decode(Array(text.utf8)) }

/// A seeded generator (Steele, Lea, Flood: SplitMix64), so that each run is the same.
struct Seeded {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(limit)) }
}
