import NMEA
import Testing

/// What a trace player sees of a line.
@Suite struct LinePeekTests {
  private func glance(_ text: String) -> LinePeek {
    let bytes = Array(text.utf8)
    return LinePeek(lastIn: bytes.span, from: 0)
  }

  static let kinds: [(body: String, kind: SentenceKind, time: Int32?, day: Int32?)] = [
    ("GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,,", .rmc, 45_319_000, 8847),
    ("GPRMC,,V,,,,,,,,,,N", .rmc, nil, nil),
    ("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,", .gga, 45_319_000, nil),
    ("GNGNS,123519,4807.038,N,01131.000,E,AAN,08,0.9,545.4,,,", .gns, 45_319_000, nil),
    ("GPGLL,4916.45,N,12311.12,W,225444,A", .gll, 82_484_000, nil),
    ("GPZDA,160012.71,11,03,2004,-1,00", .zda, 57_612_710, 12_488),
    ("GPGSA,A,3,04,05,,,,,,,,,,,2.5,1.3,2.1", .gsa, nil, nil), ("GPGSV,1,1,00", .gsv, nil, nil),
    ("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K", .vtg, nil, nil),
  ]

  @Test(arguments: kinds.map(\.body))
  func `It shows kind, time and date, with a checksum and without, behind noise and a TAG block`(
    _ body: String
  ) throws {
    let row = try #require(Self.kinds.first { $0.body == body })
    let line = sentence(body)
    // CR and LF are one character.
    let tag = sentence("s:gnss,c:1349517600123").dropFirst().dropLast()
    for text in [line, "$\(body)", "noise\(line)", "\\\(tag)\\\(line)"] {
      let seen = glance(text)
      #expect(seen.isSentence && seen.kind == row.kind && seen.talker != .galileo, "\(text)")
      #expect(seen.timeOfDayMilliseconds == row.time && seen.dayNumber == row.day, "\(text)")
      #expect(seen.tagMilliseconds == (text.hasPrefix("\\") ? 1_349_517_600_123 : nil), "\(text)")
    }
  }

  @Test func `What the decoder rejects has no kind and no time`() {
    for body in [
      "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,310294,,", "GPRMC,993519,A,,,,,,,,,",
      "GPZDA,123519,31,02,2004,,", "GPGGA,126019,,,,,0,,,",
    ] {
      let seen = glance(sentence(body))
      #expect(seen.isSentence && seen.kind == nil, "\(body)")
      #expect(seen.timeOfDayMilliseconds == nil && seen.dayNumber == nil, "\(body)")
    }
    for text in ["", "# $GPGSV,1,1,00", "noise", "$GPGSV,1,1,00*00", "$GPGSV", "!AIVDM,x*00"] {
      #expect(!glance(text).isSentence && glance(text).kind == nil, "\(text)")
    }
    for text in ["!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D", sentence("GPTXT,1")] {
      #expect(glance(text).isSentence && glance(text).kind == nil, "\(text)")
    }
  }

  @Test func `Lines are taken one after the other, and an unfinished one is left`() {
    let lines = [sentence("GPGSV,1,1,00"), "\r\n", "noise\n", "$GPGSV,1,1"]
    let bytes = Array(lines.joined().utf8)
    var starts: [Int] = []
    var start = 0
    while let seen = LinePeek(nextIn: bytes.span, from: start) {
      starts.append(start)
      #expect(seen.end > start)
      start = seen.end
    }
    // CR and LF each end a line.
    #expect(starts == [0, 17, 18, 19, 20] && start == 26, "\(starts), \(start)")
    #expect(LinePeek(nextIn: bytes.span, from: -1) == nil)
    #expect(LinePeek(nextIn: bytes.span, from: bytes.count) == nil)
    #expect(LinePeek(lastIn: bytes.span, from: bytes.count + 5).end == bytes.count)
  }
}
