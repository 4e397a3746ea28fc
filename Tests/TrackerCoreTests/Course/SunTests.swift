import Testing

@testable import TrackerCore

@Suite struct SunTests {
  /// Dawn and dusk (the sun's centre 6° below the horizon, without refraction) by PyEphem 4.2.1
  /// (VSOP87), in UTC.
  private static let almanac: [(place: Coordinate, dawn: String, dusk: String)] = [
    (olot, "2012-10-06T05:24:49", "2012-10-06T17:50:31"),
    (olot, "2026-04-18T04:35:33", "2026-04-18T19:04:01"),
    (olot, "2026-06-21T03:39:16", "2026-06-21T20:04:26"),
    (olot, "2026-12-21T06:43:20", "2026-12-21T16:52:51"),
    (olot, "2040-03-20T05:24:39", "2040-03-20T18:30:45"),
    (quito, "2026-04-18T10:48:54", "2026-04-18T23:37:23"),
    (quito, "2026-12-21T10:45:26", "2026-12-21T23:38:39"),
    (sydney, "2026-06-21T20:32:26", "2026-06-21T07:21:32"),
    (sydney, "2026-12-21T18:11:57", "2026-12-21T09:34:34"),
    (tromso, "2012-10-06T04:19:56", "2012-10-06T16:42:15"),
    (tromso, "2026-12-21T08:31:15", "2026-12-21T12:53:07"),
    (fiji, "2026-04-18T17:48:21", "2026-04-18T06:11:17"),
    (fiji, "2026-12-21T16:58:34", "2026-12-21T06:58:21"),
  ]
  private static let olot = Coordinate(latitude: 421_822_000, longitude: 24_890_000)
  private static let quito = Coordinate(latitude: -1_800_000, longitude: -784_700_000)
  private static let sydney = Coordinate(latitude: -338_700_000, longitude: 1_512_100_000)
  private static let tromso = Coordinate(latitude: 696_500_000, longitude: 189_600_000)
  private static let fiji = Coordinate(latitude: -178_000_000, longitude: 1_799_000_000)

  private static func date(_ text: String) -> UTC {
    let n = text.split { !$0.isNumber }.compactMap { Int32($0) }
    return CivilTime(
      year: n[0], month: n[1], day: n[2], hour: n[3], minute: n[4], second: n[5])!.utc
  }

  @Test func `Night begins and ends at civil twilight, within a minute of an almanac`() {
    for (place, dawn, dusk) in Self.almanac {
      for (text, isDawn) in [(dawn, true), (dusk, false)] {
        let utc = Self.date(text)
        let (before, after) = (utc + .seconds(-60), utc + .seconds(60))
        #expect(
          Sun.isDown(at: before, from: place) == isDawn
            && Sun.isDown(at: after, from: place) != isDawn,
          again(Self.self, "\(text) at \(place);"))
      }
    }
  }

  @Test func `A midsummer's day beyond the polar circle has no night`() {
    var hours: [Int64] = []
    for hour in 0..<24 {
      let utc = Self.date("2026-06-21T00:00:00") + .hours(Int64(hour))
      if Sun.isDown(at: utc, from: Self.tromso) { hours.append(Int64(hour)) }
    }
    #expect(hours.isEmpty, again(Self.self))
  }

  @Test func `No date and no place makes it trap`() {
    let numbers: [Int32] = [.min, -900_000_000, 0, 900_000_000, .max]
    for milliseconds in [Int64.min, -1, 0, 1_776_499_200_000, .max] {
      for latitude in numbers {
        for longitude in numbers {
          let sine = Sun.sineOfElevation(
            at: UTC(milliseconds: milliseconds),
            from: Coordinate(latitude: latitude, longitude: longitude))
          #expect(abs(sine) <= 1_000_100, again(Self.self, "\(milliseconds);"))
        }
      }
    }
  }
}
