import NMEA
import Testing

/// What a decoder tells of satellites on the way.
@Suite struct SatelliteObserverTests {
  private struct Ear: SatelliteObserver {
    var lines: [String] = []

    mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {
      let text = String(decoding: fields.indices.map { fields[$0] }, as: UTF8.self)
      lines.append("\(talker) \(kind) \(text)")
    }
  }

  @Test(arguments: [Int.max, 13, 1])
  func `Each whole GSA and GSV is told with its fields, however its bytes come`(_ chunk: Int) {
    let text =
      sentence("GPRMC,100000.00,A,4210.9320,N,00229.3400,E,2.5,180.0,180426,,,A")
      + sentence("GNGSA,A,3,04,05,,,,,,,,,,,2.5,1.3,2.1,1")
      // Cut short by the next, damaged, and without a checksum.
      + "$GPGSV,1,1,01,07,40,1" + sentence("GAGSV,1,1,01,03,40,100,38,7")
      + "$GPGSV,1,1,01,07,40,100,30*00\r\n" + "$GPGSV,1,1,01,07,40,100,30\r\n"
      // With a blank behind it, and with its line end lost in noise.
      + sentence("GPGSV,1,1,01,08,40,100,30").dropLast() + " \r\n"
      + sentence("GPGSV,1,1,01,09,40,100,30").dropLast() + "$"
      + String(repeating: "x", count: 2 * NMEABounds.lineBytes) + "\r\n"
    var (decoder, ear) = (Decoder(), Ear())
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let piece = Array(bytes.prefix(chunk))
      bytes = bytes.dropFirst(chunk)
      var position = 0
      while decoder.next(in: piece.span, from: &position, telling: &ear) != nil {}
    }
    #expect(
      ear.lines == [
        "combined gsa A,3,04,05,,,,,,,,,,,2.5,1.3,2.1,1", "galileo gsv 1,1,01,03,40,100,38,7",
        "gps gsv 1,1,01,08,40,100,30", "gps gsv 1,1,01,09,40,100,30",
      ], "repeat with: swift test --filter SatelliteObserverTests")
  }
}
