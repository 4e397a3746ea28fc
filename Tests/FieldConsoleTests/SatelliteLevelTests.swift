import NMEA
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// The level of each satellite.
@Suite struct SatelliteLevelTests {
  private let again: Comment = "repeat with: swift test --filter SatelliteLevelTests"

  /// A meter that hears what a decoder reads.
  private struct Meter: SatelliteObserver {
    var meter = SatelliteMeter()
    private var decoder = Decoder()
    private var now = Instant.start

    mutating func hear(_ text: String, at now: Instant = .start) {
      self.now = now
      let bytes = Array(text.utf8)
      var position = 0
      var reader = decoder
      while reader.next(in: bytes.span, from: &position, telling: &self) != nil {}
      decoder = reader
    }

    mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {
      meter.heard(kind, talker, fields, at: now)
    }

    var bytes: Int { meter.bytes }

    func levels(at now: Instant) -> [SatelliteLevel] { meter.levels(at: now) }
  }

  private func texts(_ bodies: [String], at now: Instant = .start) -> [String] {
    var meter = Meter()
    for body in bodies { meter.hear(sentence(body), at: now) }
    return meter.levels(at: now).map(\.text)
  }

  @Test func `A satellite counts once, with the best of its signals, and is marked if used`() {
    let bodies = [
      "GNGSA,A,3,05,12,,,,,,,,,,,1.5,0.9,1.2,1", "GNGSA,A,3,03,,,,,,,,,,,,1.5,0.9,1.2,3",
      "GPGSV,1,1,03,05,40,100,35,12,10,200,28,20,05,010,,1",
      "GPGSV,1,1,02,05,40,100,41,12,10,200,22,8",
      "GAGSV,1,1,02,03,40,100,38,05,10,200,44,7",
    ]
    #expect(
      texts(bodies) == [
        "G05 41 used", "G12 28 used", "G20 - seen", "E05 44 seen", "E03 38 used",
      ], again)
  }

  @Test(arguments: [
    ("GLGSV,1,1,01,69,40,100,30", "R05 30 seen"), ("GLGSV,1,1,01,05,40,100,30,1", "R05 30 seen"),
    ("GBGSV,1,1,01,12,40,100,30,1", "C12 30 seen"), ("BDGSV,1,1,01,212,40,100,30", "C12 30 seen"),
    ("GBGSV,1,1,01,412,40,100,30", "C12 30 seen"), ("GQGSV,1,1,01,02,40,100,30,1", "J02 30 seen"),
    ("GPGSV,1,1,01,194,40,100,30", "J02 30 seen"), ("GAGSV,1,1,01,305,40,100,30", "E05 30 seen"),
    ("GIGSV,1,1,01,07,40,100,30,1", "I07 30 seen"), ("GPGSV,1,1,01,36,40,100,30", "S23 30 seen"),
    ("GPGSV,1,1,01,123,40,100,30", "S23 30 seen"), ("GNGSV,1,1,01,70,40,100,30", "R06 30 seen"),
  ])
  func `Every system is known by whatever numbers receivers give`(
    _ body: String, _ text: String
  ) {
    #expect(texts([body]) == [text], "\(body); \(again)")
  }

  @Test func `One list of GSA may take several sentences, also of 24 satellites or without system`()
  {
    let bodies = [
      "GPGSV,1,1,03,01,,,30,02,,,29,03,,,28", "GLGSV,1,1,01,70,,,27",
      "GNGSA,A,3,01,,,,,,,,,,,,1,1,1", "GNGSA,A,3,70,,,,,,,,,,,,1,1,1",
      "GPGSA,A,3,02,,,,,,,,,,,,,,,,,,,,,,,,1,1,1",
    ]
    #expect(
      texts(bodies) == ["G01 30 used", "G02 29 used", "G03 28 seen", "R06 27 used"], again)
  }

  @Test func `A satellite that sets is forgotten, and so is all when nothing more comes`() {
    var meter = Meter()
    meter.hear(sentence("GPGSV,1,1,02,01,,,30,02,,,29"))
    meter.hear(sentence("GPGSA,A,3,01,02,,,,,,,,,,,1,1,1"))
    for second in 1...8 {
      let now = Instant.start + .seconds(Int64(second))
      meter.hear(sentence("GPGSV,1,1,01,01,,,\(30 + second)"), at: now)
      meter.hear(sentence("GPGSA,A,3,03,,,,,,,,,,,,1,1,1"), at: now)
    }
    let later = Instant.start + .seconds(8)
    #expect(meter.levels(at: later).map(\.text) == ["G01 38 seen"], again)
    #expect(meter.levels(at: later + .seconds(15)).count == 1, again)
    #expect(meter.levels(at: later + .seconds(16)).isEmpty, again)
  }

  @Test func `What is damaged, cut off or something else is left out`() {
    var meter = Meter()
    let good = sentence("GPGSV,1,1,01,01,40,100,30")
    for bad in [
      good.replacing(",30", with: ",31"), String(good.dropLast(4)), "$GPGSV,1,1,01,02,,,30\r\n",
      sentence("PUBX,GSV,1,1,01,02,,,30"), sentence("GPGSV,1,1,01,00,40,100,30"),
      sentence("GPGSV,1,1,01,999,40,100,30"), sentence("GPGSV,1,1,01,1x,40,100,30"),
      sentence("GPGSV"), sentence("GPGSA,A,3"), sentence("GAGSV,1,1,01,64000,,,12"),
    ] {
      meter.hear(bad)
    }
    #expect(meter.levels(at: .start).isEmpty, "\(meter.levels(at: .start)); \(again)")
    // In pieces and after a piece of another one it is read all the same.
    for piece in ["$GPGS" + good.prefix(9), String(good.dropFirst(9))] { meter.hear(piece) }
    #expect(meter.levels(at: .start).map(\.text) == ["G01 30 seen"], again)
  }

  /// Only the last sentences are kept, and read when somebody asks.
  @Test func `However long it lasts, all satellites of the last report are there`() {
    var meter = Meter()
    for second in 0..<40 {
      let now = Instant.start + .seconds(Int64(second))
      for system in ["GP", "GL", "GA", "GB", "GQ"] {
        for (first, signal) in [(1, 1), (1, 6), (1, 8), (5, 1), (5, 6), (5, 8), (9, 1)] {
          let satellites = (first..<first + 4).map { "\($0),40,100,\(10 + second)" }
          meter.hear(
            sentence("\(system)GSV,3,1,12,\(satellites.joined(separator: ",")),\(signal)"), at: now)
        }
        meter.hear(sentence("\(system)GSA,A,3,1,2,3,,,,,,,,,,1,1,1"), at: now)
      }
      let levels = meter.levels(at: now)
      #expect(levels.count == 60 && levels.count(where: \.isUsed) == 15, "\(second); \(again)")
      #expect(levels.allSatisfy { $0.level == Int64(10 + second) }, "\(second); \(again)")
    }
    #expect(meter.bytes > FieldBounds.satelliteLog, "too few to fill it; \(again)")
  }

  @Test func `A kind that comes much more often does not take the other's room`() {
    for isOften in ["GSV", "GSA"] {
      var meter = Meter()
      meter.hear(sentence("GPGSV,1,1,01,05,40,100,41"))
      meter.hear(sentence("GPGSA,A,3,05,,,,,,,,,,,,1,1,1"))
      let often = isOften == "GSV" ? "GLGSV,1,1,01,70,40,100,30" : "GNGSA,A,3,70,,,,,,,,,,,,1,1,1,2"
      for step in 1...1000 {
        meter.hear(sentence(often), at: .start + Milliseconds(Int64(step)))
      }
      let levels = meter.levels(at: .start + .seconds(1)).map(\.text)
      // Of many satellites those that were reported last.
      let wanted = isOften == "GSV" ? ["R06 30 seen"] : ["G05 41 seen"]
      #expect(levels == wanted, "\(isOften): \(levels); \(again)")
    }
  }

  @Test func `It takes no more room than for the most signals, whatever comes`() {
    var meter = Meter()
    for system in ["GP", "GL", "GA", "GB", "GQ", "GN"] {
      for number in 1...99 {
        for signal in 1...3 {
          meter.hear(sentence("\(system)GSV,1,1,01,\(number),40,100,3\(signal),\(signal)"))
          meter.hear(sentence("\(system)GSA,A,3,\(number),,,,,,,,,,,,1,1,1"))
        }
      }
    }
    #expect(meter.levels(at: .start).count <= FieldBounds.satelliteSignals, again)
    var seed = Seeded(7)
    for _ in 0..<20_000 {
      let letters = Array("$GPSVANQL,0123456789*\r\n".utf8)
      let junk = (0..<Int(seed.next(40))).map { _ in letters[Int(seed.next(UInt64(letters.count)))]
      }
      meter.hear(String(decoding: junk, as: UTF8.self))
    }
    #expect(meter.levels(at: .start).count <= FieldBounds.satelliteSignals, again)
    #expect(meter.bytes <= 4 * FieldBounds.satelliteLog, "\(meter.bytes); \(again)")
  }

  private struct Seeded {
    var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
  }

  // MARK: For people

  private func sky(_ count: Int) -> [SatelliteLevel] {
    var levels: [SatelliteLevel] = []
    for system in SatelliteSystem.allCases.prefix(5) {
      for index in 0..<count {
        guard let name = SatelliteName(UInt16(index + 1), of: system) else { continue }
        levels.append(SatelliteLevel(name, level: UInt8(48 - index), isUsed: index < 3))
      }
    }
    return levels
  }

  @Test func `The status shows the strongest of each system on one line, those used with a star`() {
    var facts = TrackerFacts.healthy
    facts.receiver.satellites = sky(12)
    for language in Language.all {
      let page = StatusScreen.page(of: facts, in: language).text(width: .max)
      let lines = page.split(separator: "\n").filter { $0.contains(": ") && $0.contains("GPS 48*") }
      #expect(lines.count == 1 && lines.allSatisfy { $0.count <= 80 }, "\(page); \(again)")
      #expect(lines.first?.contains("  GLO 48*") == true, "\(page); \(again)")
      #expect(lines.first?.contains("  QZSS 48*  (* ") == true, "\(page); \(again)")
    }
    facts.receiver.satellites = Array(sky(2).prefix(4))
    let few = StatusScreen.page(of: facts, in: .english).text()
    #expect(
      few.contains("\nlevels:         GPS 48* 47*  GLO 48* 47*  (* used)\n"),
      "\(few); \(again)")
    facts.receiver.satellites = facts.receiver.satellites.map { satellite in
      var satellite = satellite
      satellite.level = nil
      return satellite
    }
    #expect(!StatusScreen.page(of: facts, in: .english).text().contains("levels:"), again)
  }

  @Test func `Over the socket and for scripts all of them are there`() {
    var facts = TrackerFacts.healthy
    facts.receiver.satellites = sky(30)
    facts.receiver.satellites[1].level = nil
    #expect((try? TrackerFacts(message: facts.message)) == facts, again)
    let json = Figure.object(facts.figures).json
    #expect(json.components(separatedBy: "\"levelDBHz\"").count == 151, "\(json); \(again)")
    #expect(
      json.contains(
        "{\"system\": \"G\", \"number\": 1, \"levelDBHz\": 48, \"isUsed\": true}"),
      "\(json); \(again)")
  }
}

extension SatelliteLevel {
  /// `G05 41 used`, `R12 - seen`
  fileprivate var text: String {
    let digits = number < 10 ? "0\(number)" : "\(number)"
    return "\(system.rawValue)\(digits) \(level.map { "\($0)" } ?? "-") "
      + (isUsed ? "used" : "seen")
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> [Substring] {
    split(separator: mark, omittingEmptySubsequences: false)
  }
}

/// With `$`, checksum and line end.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(0) { $0 ^ $1 }
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}
