import NMEA
import Simulation
import Testing
import TrackerCore

@testable import Traces

/// A recording is a log that other programs can read.
@Suite struct RecordFormTests {
  private let note = again("RecordFormTests")

  @Test func `Every sentence of ours is a valid one of 82 characters at the most`() {
    for seed in UInt64(1)...40 {
      var generator = SeededGenerator(seed: seed, stream: 3)
      let sink = record(RandomPassing.make(&generator))
      var ours = 0
      for line in sink.lines where line.hasPrefix("$PTRK") {
        ours += 1
        #expect(line.utf8.count <= 80, "\(line)")
        #expect(line.utf8.allSatisfy { $0.isPrintable }, "\(line)")
        let body = line.dropFirst().dropLast(3)
        #expect("$" + checked(body) == line, "seed \(seed): \(line); \(note)")
        #expect(!body.contains("*") && !body.contains("$") && !body.contains("\\"), "\(line)")
      }
      #expect(ours > 100)
    }
  }

  @Test func `A decoder makes of a recording what it made of the receiver`() {
    for seed in UInt64(1)...40 {
      var generator = SeededGenerator(seed: seed, stream: 3)
      let passing = RandomPassing.make(&generator).filter { one in
        // Noise would be hidden from a decoder; whole sentences must reach it all.
        if case .bytes(let bytes, .receiver, _) = one { return bytes.allSatisfy { $0 < 0x7F } }
        return true
      }
      let sink = record(passing)
      #expect(sink.lines.count > 10)
      #expect(sink.lines.contains { $0.hasPrefix("\\") }, "seed \(seed); \(note)")
      for line in sink.lines where line.hasPrefix("\\") {
        let bytes = Array(line.utf8)
        let tag = TagBlock(at: 0, in: bytes.span, to: bytes.count)
        #expect(tag?.isIntact == true && tag?.milliseconds != nil, "\(line); \(note)")
      }
    }
  }

  @Test func `The lines of a receiver stand as they came, below their date`() {
    let lines = ChunkTests.rmc + ChunkTests.gga
    let sink = record([.bytes(Array(lines.utf8), .receiver, 2500), .end(3000)])
    let begin = sentence("PTRKH,begin,0")
    // 2026-01-01, the earliest date that is possible, stands for one that nobody knew.
    let tag = "\\" + checked("s:gnss,c:1767225602500") + "\\\r\n"
    let expected = begin + tag + lines + sentence("PTRKI,3000,end")
    #expect(sink.text.hasSuffix(expected), "\(sink.text); \(note)")
    #expect(sink.text.hasPrefix("# trailtracker recording, part 1\r\n# Program: test 1.0"))
    #expect(sink.isFinished)
  }

  @Test func `The date is put right when the receiver proves its own`() throws {
    let proved = Effect.note(.clockTrusted(UTC(milliseconds: 1_776_499_242_000)))
    let rmc = Array(ChunkTests.rmc.utf8)
    let passing: [Passing] = [
      .bytes(rmc, .receiver, 1000), .effect(proved), .bytes(rmc, .receiver, 2000),
      // A second time, and by less than reports are late: no difference.
      .effect(.note(.clockTrusted(UTC(milliseconds: 1_776_499_244_500)))),
      .bytes(rmc, .receiver, 3000), .end(4000),
    ]
    let sink = record(passing)
    let dates = sink.lines.filter { $0.hasPrefix("\\") }.map { $0.dropFirst(10).prefix(13) }
    #expect(dates == ["1767225601000", "1776499243000", "1776499244000"], note)
    #expect(try unplaced(MemorySource.all(sink.parts)) == expected(passing), note)
  }

  @Test func `A system that knows the date lends it, one of 1970 does not`() {
    var beginning = RecordingHeader.bench
    for (utc, first) in [(1_776_000_000_000, "1776000000500"), (77_000, "1767225600500")] {
      beginning.utc = UTC(milliseconds: Int64(utc))
      let sink = MemorySink()
      var recorder = Recorder(beginning, into: sink)
      recorder.show([.bytes(Array(ChunkTests.rmc.utf8), .receiver, 500), .end(500)])
      #expect(sink.text.contains("\\s:gnss,c:\(first)*"), "\(sink.text); \(note)")
    }
  }

  @Test func `A name cannot break out of its line`() throws {
    var beginning = RecordingHeader.bench
    beginning.program = "x\r\n$PTRKI,0,end*41"
    beginning.comments = ["a\r\n$PTRKI,0,end*41\u{1B}[31m"]
    let sink = MemorySink()
    var recorder = Recorder(beginning, into: sink)
    recorder.show([.event(.deadlineReached, 5), .end(6)])
    #expect(!sink.lines.contains { $0.hasPrefix("$PTRKI,0,end") }, note)
    #expect(try MemorySource.all(sink.parts).count == 2, note)
  }
}

/// What a modem repeats of a secret is hidden before it is written.
@Suite struct EchoMaskTests {
  private func masked(_ pieces: [String]) -> String {
    var mask = EchoMask()
    return pieces.map { String(decoding: mask.mask(Array($0.utf8).span), as: UTF8.self) }.joined()
  }

  static let cases: [(came: String, written: String)] = [
    ("AT+CPIN=1234\r\r\nOK\r\n", "AT+CPIN=####\r\r\nOK\r\n"),
    ("AT+CPIN=\"1234\",\"5678\"\r", "AT+CPIN=#############\r"),
    ("at+cgauth=1,1,\"user\",\"pass\"\r", "at+cgauth=#################\r"),
    ("\u{0}xAT+CPIN=1234\r", "\u{0}xAT+CPIN=####\r"),
    ("\r\n+CREG: 0,1\r\n\r\nOK\r\n", "\r\n+CREG: 0,1\r\n\r\nOK\r\n"),
    ("+CPIN: SIM PIN\r\nAT+CPIN=1\r\n+CPIN: READY", "+CPIN: SIM PIN\r\nAT+CPIN=#\r\n+CPIN: READY"),
    ("{\"token\":\"x1\"}\r\nOK\r\n", "{\"token#######\r\nOK\r\n"),
    ("Password: abc\r\n", "Password#####\r\n"), ("+CPIN: SIM PIN\r\n", "+CPIN: SIM PIN\r\n"),
    ("+CSQ: a=7\r\n", "+CSQ: a=7\r\n"), ("ATE0\r\nOK=1\r\n", "ATE0\r\nOK=1\r\n"),
    ("+CPIN: 1234\r\n", "+CPIN: ####\r\n"), ("+CPIN:1234\r", "+CPIN:####\r"),
    ("+CPIN: SIM PIN2\r+CPIN: READY\r", "+CPIN: SIM PIN2\r+CPIN: READY\r"),
    ("+CPINR: SIM PIN,3,3\r\n", "+CPINR: SIM PIN,3,3\r\n"),
    ("+CLCK: \"SC\",0,\"1234\"\r", "+CLCK: \"SC\",#,\"####\"\r"),
    ("^CPIN: \"1234\"\rAT^CPIN=\"1234\"\r", "^CPIN: \"####\"\rAT^CPIN=######\r"),
    ("xxxxxxxxxxxxxxxAT+CLCK=\"SC\",0,\"1\"\n", "xxxxxxxxxxxxxxxAT+CLCK=##########\n"),
  ]

  @Test(arguments: cases.indices)
  func `The arguments of an echoed command are hidden, however the echo is cut`(_ index: Int) {
    let (came, written) = Self.cases[index]
    #expect(masked([came]) == written, again("EchoMaskTests"))
    #expect(masked(came.map(String.init)) == written, again("EchoMaskTests"))
  }

  @Test func `A tracker decides alike whether it hears the secret or what hides it`() throws {
    let echo = "AT+CPIN=1234\r\r\nOK\r\n+CREG: 0,1\r\nAT+CGAUTH=1,1,\"OK\r\nERROR\r\n"
    var one = RecordingHeader.bench.tracker
    var other = one
    var effects = (Effects(), Effects())
    for at in stride(from: Int64(0), to: 60_000, by: 500) {
      let now = Instant(milliseconds: at)
      one.handle(.deadlineReached, at: now, into: &effects.0)
      other.handle(.deadlineReached, at: now, into: &effects.1)
      one.receive(Array(echo.utf8).span, from: .modem, at: now, into: &effects.0)
      other.receive(Array(masked([echo]).utf8).span, from: .modem, at: now, into: &effects.1)
    }
    #expect(effects.0.all == effects.1.all && one == other, again("EchoMaskTests"))
    #expect(effects.0.memories == effects.1.memories, again("EchoMaskTests"))
  }

  private struct Effects: EffectSink {
    var all: [Effect] = []
    var memories: [Memory] = []
    mutating func push(_ effect: Effect) { all.append(effect) }
    mutating func remember(_ memory: Memory) { memories.append(memory) }
  }

  @Test func `No secret reaches the recording`() {
    let sink = record([
      .bytes(Array("AT+CP".utf8), .modem, 5), .bytes(Array("IN=47".utf8), .modem, 6),
      .bytes(Array("11\r\n".utf8), .modem, 7), .end(9),
    ])
    #expect(sink.text.contains("m,IN=##*"), "\(sink.text)")
    #expect(!sink.text.contains("47*") && !sink.text.contains("11^0D"), "\(sink.text)")
    #expect(!sink.text.contains("4711"), again("EchoMaskTests"))
  }
}
