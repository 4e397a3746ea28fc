/// Where the sun stands, for telling day from night; identical on every machine.
public enum Sun {
  /// Whether the sun is more than six degrees below the horizon: after civil twilight, a walker
  /// needs a lamp.
  public static func isDown(at utc: UTC, from place: Coordinate) -> Bool {
    sineOfElevation(at: utc, from: place) < sineOfCivilTwilight
  }

  /// sin -6°, millionths.
  private static let sineOfCivilTwilight: Int64 = -104_528
  /// 2000-01-01T12:00:00Z, from which the almanac's formula counts.
  private static let epochSeconds: Int64 = 946_728_000
  /// The formula is made for 1950 to 2050; further on it loses some 0.01° in a century.
  private static let secondsAround: ClosedRange<Int64> = -946_728_000...6_311_390_400

  /// Sine of the elevation of the sun's centre, millionths, without refraction.
  ///
  /// The Astronomical Almanac's low-precision formulas for the sun (section C, within 0.01° from
  /// 1950 to 2050), with its mean sidereal time. The sun and the zenith are vectors towards the
  /// stars: their product is the sine, and no angle has to be found from a ratio.
  ///
  /// - Parameter utc: before 1970 and after 2200 it counts as these years.
  static func sineOfElevation(at utc: UTC, from place: Coordinate) -> Int64 {
    let passed = utc.milliseconds / 1000 &- epochSeconds
    let seconds = min(max(passed, secondsAround.lowerBound), secondsAround.upperBound)
    // Angles in 1e-7 degree.
    let anomaly = 3_575_280_000 + seconds * 9_856_003 / 86_400
    let mean = 2_804_600_000 + seconds * 9_856_474 / 86_400
    let longitude =
      mean + 19_150_000 * sine(anomaly) / 1_000_000 + 200_000 * sine(2 * anomaly) / 1_000_000
    // 23.439° - 0.0000004° a day; the change since 2000 stays below 0.03°.
    let obliquity = 234_390_000 - seconds * 4 / 86_400
    let sidereal =
      2_804_606_184 + (seconds % 86_400) * 3_600_000_000 / 86_400
      + seconds * 98_564_737 / 864_000 + Int64(place.longitude)
    let aside = sine(longitude)
    // The sun, seen from the earth: towards the equinox, square to it, towards the pole.
    let x = cosine(longitude)
    let y = cosine(obliquity) * aside / 1_000_000
    let z = sine(obliquity) * aside / 1_000_000
    let latitude = Int64(place.latitude)
    let level = (x * cosine(sidereal) + y * sine(sidereal)) / 1_000_000
    return (level * cosine(latitude) + z * sine(latitude)) / 1_000_000
  }

  /// Sine of any angle in 1e-7 degree, millionths.
  private static func sine(_ angle: Int64) -> Int64 { cosine(angle - 900_000_000) }

  /// Cosine of any angle in 1e-7 degree, millionths.
  private static func cosine(_ angle: Int64) -> Int64 {
    let turn: Int64 = 3_600_000_000
    let rest = abs(angle % turn)
    let folded = rest > turn / 2 ? turn - rest : rest
    return folded <= turn / 4
      ? Coordinate.cosineMillionths(folded) : -Coordinate.cosineMillionths(turn / 2 - folded)
  }
}
