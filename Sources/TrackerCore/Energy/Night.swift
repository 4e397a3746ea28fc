/// How the cold of a day comes and goes: least in the afternoon, most at sunrise.
///
/// It comes faster in the evening than after midnight, as a body cools. That is the usual shape of
/// a clear day (an assumption, unverified); how cold a night becomes nobody knows.
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
}
