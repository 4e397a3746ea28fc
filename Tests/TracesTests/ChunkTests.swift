import Simulation
import Testing
import TrackerCore

@testable import Traces

/// What came is what comes again: the same bytes, in the same chunks, at the same instants.
@Suite struct ChunkTests {
  private func check(_ passing: [Passing], _ note: Comment = again("ChunkTests")) throws {
    let sink = record(passing)
    let read = try MemorySource.all(sink.parts)
    #expect(unplaced(read) == expected(passing), "\(note)\n\(sink.text)")
  }

  private func receiver(_ chunks: [(String, Int64)]) -> [Passing] {
    chunks.map { .bytes(Array($0.0.utf8), .receiver, $0.1) } + [.end(99_000)]
  }

  static let rmc = sentence("GPRMC,120000,A,4807.038,N,01131.000,E,022.4,084.4,230394,,")
  static let gga = sentence("GPGGA,120000,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")

  static let cases: [(name: String, chunks: [(String, Int64)])] = [
    ("whole sentences, one chunk", [(rmc + gga, 1000)]),
    ("a chunk for each", [(rmc, 1000), (gga, 1050)]),
    ("two chunks at one instant", [(rmc, 1000), (gga, 1000)]),
    ("a line in pieces", [("$GPRM", 10), ("C,,V,,", 20), (",,,*2F\r", 31), ("\n", 31)]),
    ("a tail", [(rmc + "$GPG", 500), ("GA,,,*12\r\n$GP", 520), ("TXT*1\n", 521)]),
    ("tails at one instant", [(rmc + "$GP", 500), ("GSV", 500), (",1*00\r\n", 500)]),
    ("a line that never ends", [(rmc + "$GPGG", 500), (rmc, 90_000)]),
    ("nothing but a beginning", [("$GPGG", 500)]),
    ("blank lines and bare ends", [("\r\n\r\n\n\r\r\n", 5), ("\r", 6), ("\n", 7)]),
    ("noise before a sentence", [("\u{1}\u{2}noise" + rmc, 5)]),
    ("what looks like ours", [(sentence("PTRKI,5,end") + "$PTRK\n", 5), ("$PTRKH,x*00\r\n", 6)]),
    ("comments and TAG blocks", [("# hello\r\n\\s:x*00\\" + rmc + "\\s:x*00\\\r\n", 5)]),
    ("no bytes at all", [("", 5), (rmc, 5), ("", 6)]),
    ("an endless line", [(String(repeating: "x", count: 1024), 5), ("yy", 6), ("z\n", 7)]),
    (
      "an endless line in pieces",
      (0..<40).map { (String(repeating: "$", count: 30), Int64($0)) }
    ),
  ]

  @Test(arguments: cases.indices)
  func `The receiver's chunks come back as they were`(_ index: Int) throws {
    try check(receiver(Self.cases[index].chunks), "case: \(Self.cases[index].name)")
  }

  @Test func `Whatever passes comes back as it was, however it is cut`() throws {
    for seed in UInt64(1)...120 {
      var generator = SeededGenerator(seed: seed, stream: 3)
      try check(
        RandomPassing.make(&generator),
        "seed \(seed); repeat with: swift test --filter ChunkTests")
    }
  }

  @Test func `It makes no difference in what pieces a recording is read`() throws {
    var generator = SeededGenerator(seed: 5)
    let passing = RandomPassing.make(&generator)
    let bytes = record(passing).bytes
    var reader = RecordingReader(.strict)
    var read: [Recorded] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + generator.whole(in: 1...40))
      var position = 0
      while let one = try reader.next(in: Array(bytes[start..<end]), from: &position) {
        read.append(one)
      }
      start = end
    }
    #expect(unplaced(read) == expected(passing), again("ChunkTests"))
  }
}

/// Made-up goings-on: sentences, noise, events and effects, in chunks of all sizes.
enum RandomPassing {
  static func make(_ generator: inout SeededGenerator, count: Int = 120) -> [Passing] {
    var stream: [UInt8] = []
    var passing: [Passing] = []
    var now: Int64 = 0
    for _ in 0..<count {
      now += [0, 0, 1, 15, 200, 1000, 4000][generator.whole(in: 0...6)]
      switch generator.whole(in: 0...9) {
      case 0:
        passing.append(.event(Roster.events[generator.whole(in: 0...Roster.events.count - 1)], now))
      case 1:
        passing.append(.bytes(modem(&generator), .modem, now))
      case 2:
        passing.append(.bytes([7, 8], .modem, now))
      case 3 where generator.once(in: 4):
        passing.append(.settings(Roster.settings[generator.whole(in: 0...2)], now))
      default:
        while stream.count < 1024 { stream += piece(&generator) }
        let longest = generator.once(in: 10) ? 1024 : 90
        let length = generator.whole(in: 0...longest)
        passing.append(.bytes(Array(stream.prefix(length)), .receiver, now))
        stream.removeFirst(length)
      }
      for _ in 0..<max(0, generator.whole(in: -6...2)) {
        passing.append(
          .effect(Roster.effects[generator.whole(in: 0...Roster.effects.count - 1)]))
      }
    }
    return passing + [.end(now + 5)]
  }

  /// Never the echo of a secret: that would come back hidden.
  private static func modem(_ generator: inout SeededGenerator) -> [UInt8] {
    generator.once(in: 2)
      ? Array("\r\n+CREG: 0,1\r\n\r\nOK\r\n".utf8)
      : (0..<generator.whole(in: 0...120)).map { _ in UInt8(generator.whole(in: 0...60)) }
  }

  private static func piece(_ generator: inout SeededGenerator) -> [UInt8] {
    switch generator.whole(in: 0...9) {
    case 0: (0..<generator.whole(in: 1...700)).map { _ in UInt8(generator.whole(in: 0...255)) }
    case 1: Array(sentence("PTRKI,77,end").utf8)
    case 2: Array("\r\n# ^2C~ \\s:gnss,c:1776499242000*00\\\r\n$\n!\n".utf8)
    case 3: Array("$GPTXT without an end".utf8)
    case 4, 5: Array(ChunkTests.rmc.utf8)
    default: Array(ChunkTests.gga.utf8)
    }
  }
}
