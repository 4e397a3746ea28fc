/// How the cold of a day comes and goes: least in the afternoon, most at sunrise.
///
/// It comes faster in the evening than after midnight, as a body cools. That is the usual shape of
/// a clear day (an assumption, unverified).
enum Night {
  private static let day = Milliseconds.hours(24).count
  private static let warmest = Milliseconds.hours(15).count
  private static let coldest = Milliseconds.hours(6).count

  /// The cold at a time of day by the sun, 0...1000.
  static func cold(at hour: Milliseconds) -> Int64 {
    let hour = inDay(hour)
    if hour >= coldest && hour < warmest {
      let left = (warmest - hour) * 1000 / (warmest - coldest)
      return left * left / 1000
    }
    let left = inDay(Milliseconds(coldest - hour)) * 1000 / (coldest + day - warmest)
    return 1000 - left * left / 1000
  }

  /// How much colder it may become within a time, 0...1000.
  static func coolingAhead(within time: Milliseconds, from hour: Milliseconds) -> Int64 {
    let now = inDay(hour)
    let end = now + min(max(0, time.count), day)
    let sunrise = now <= coldest ? coldest : coldest + day
    let most = end >= sunrise ? 1000 : cold(at: Milliseconds(end))
    return max(0, most - cold(at: hour))
  }

  private static func inDay(_ hour: Milliseconds) -> Int64 { (hour.count % day + day) % day }

  /// The cold of a night of that season: one night in six is colder, degrees Celsius.
  ///
  /// Fitted by hand to the usual daily lows of January and July in fifteen cities between 34° south
  /// and 61° north (quoted from memory, unverified): 26 of these 30 are within 6 degrees of it,
  /// coasts of warm seas warmer, inland winters in the east of continents colder. From one night to
  /// the next another 4, so that 7 are taken off. Higher up it is 6.5 degrees colder for each
  /// kilometre, as in the ICAO's standard atmosphere.
  ///
  /// - Parameter altitude: millimetres.
  static func coldest(at place: Coordinate, altitude: Int32, on date: UTC) -> Int64 {
    let latitude = Int64(place.latitude)
    let cosine = Coordinate.cosineMillionths(latitude)
    let sine = Coordinate.cosineMillionths(900_000_000 - min(abs(latitude), 900_000_000))
    let usual = 35 * cosine * cosine / 1_000_000 - 11_000_000
    let season = 15 * sine * summer(latitude, date) / 1_000_000
    let height = 65 * min(max(0, Int64(altitude)), 9_000_000) / 10
    return (usual + season - height) / 1_000_000 - 7
  }

  /// From -1 000 000 in the coldest days of the year to 1 000 000 in the hottest ones, a month
  /// after the solstices.
  private static func summer(_ latitude: Int64, _ date: UTC) -> Int64 {
    let year = 1461 * day / 4
    let hottest = 205 * day
    let since = ((date.milliseconds % year - hottest) % year + year) % year
    // In units of 1e-7 degrees; minutes, so that nothing overflows.
    let angle = min(since, year - since) / 60_000 * 1_800_000_000 / (year / 2 / 60_000)
    let half: Int64 = 900_000_000
    let north =
      angle <= half
      ? Coordinate.cosineMillionths(angle) : 0 - Coordinate.cosineMillionths(2 * half - angle)
    return latitude < 0 ? 0 - north : north
  }
}

/// What is known of the cold that is to come.
struct Weather: Sendable, Equatable {
  /// The time of day by the sun; `nil`: not known, and the night may be to come.
  var hour: Milliseconds?
  /// Of the battery at present, degrees Celsius; `nil`: not measured.
  var celsius: Int32?
  /// As of `Night.coldest`; freezing while date or place are not known.
  var coldest: Int64 = 0

  /// What a night takes from the afternoon's warmth, one in six more, degrees: 10 from the day's
  /// highest to its lowest, and 4 for a night that is clearer (an assumption, unverified).
  private static let range: Int64 = 14

  /// How much colder the battery may become within a time: one night in six is colder. A million
  /// is as much as from 20 to 0 degrees; warmth above 20 adds nothing to a battery.
  func coolingAhead(within time: Milliseconds) -> Int64 {
    let night = Bounds.coldNight.count
    let ahead =
      hour.map { Night.coolingAhead(within: time, from: $0) * 1000 }
      ?? min(max(0, time.count), night) * 1_000_000 / night
    let season = ahead * max(0, 20 - coldest) / 20
    // One that is warmer lies in the sun, or comes out of a heated hall.
    guard let celsius, celsius <= 20 else { return season }
    return min(season, Self.range * ahead / 20)
  }
}
