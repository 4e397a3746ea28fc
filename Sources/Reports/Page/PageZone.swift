public import TrackerCore

/// The clocks that a page shows.
public struct PageZone: Sendable {
  /// The zone's name; empty: only its difference from UTC is known.
  public var name: String
  /// Seconds east of UTC.
  public var offsetSeconds: @Sendable (UTC) -> Int64

  public init(name: String = "", offsetSeconds: @escaping @Sendable (UTC) -> Int64 = { _ in 0 }) {
    self.name = name
    self.offsetSeconds = offsetSeconds
  }

  /// `Europe/Madrid (UTC+02:00)`.
  func title(at utc: UTC) -> String {
    let minutes = offsetSeconds(utc) / 60
    let shown = abs(minutes)
    let offset =
      "UTC" + (minutes < 0 ? "\u{2212}" : "+") + Self.two(shown / 60) + ":" + Self.two(shown % 60)
    return name.isEmpty ? offset : "\(name) (\(offset))"
  }

  /// What its clocks show.
  func civil(_ utc: UTC) -> CivilTime? {
    CivilTime(UTC(milliseconds: utc.milliseconds &+ offsetSeconds(utc) &* 1000))
  }

  static func two(_ value: some BinaryInteger) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// The times of a run along a page's axes, 0...100 from its start to its end.
struct TimeScale {
  let end: Instant
  /// The date at the start; `nil`: there are only times since the start.
  let startDate: UTC?
  let zone: PageZone

  func percent(_ at: Instant) -> Double {
    let whole = Double(max(1, end.milliseconds))
    return min(100, max(0, Double(at.milliseconds) / whole * 100))
  }

  func x(_ at: Instant) -> String { Markup.number(percent(at), 3) }

  /// `2026-04-18 14:20:05` on the zone's clocks, or the time since the start.
  func text(_ at: Instant) -> String {
    guard let startDate, let time = zone.civil(startDate + (at - .start)) else {
      return TextReport.clock(at.milliseconds)
    }
    return Self.day(time) + " " + PageZone.two(time.hour) + ":" + PageZone.two(time.minute) + ":"
      + PageZone.two(time.second)
  }

  private static func day(_ time: CivilTime) -> String {
    "\(time.year)-" + PageZone.two(time.month) + "-" + PageZone.two(time.day)
  }

  struct Tick {
    var at: Instant
    var label: String
    var isDay: Bool
    /// Whether it may be left out where there is little room.
    var isMinor: Bool
  }

  private static let steps: [Int64] = [
    1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10_080, 43_200, 525_600,
  ]

  /// At round times of the zone's clocks, nine at most. At midnight there is the date.
  var ticks: [Tick] {
    let minutes = end.milliseconds / 60_000
    let step = (Self.steps.first { minutes / $0 <= 8 } ?? minutes) * 60_000
    // At the offset of the start: after a change of the clocks the hours are others, but true.
    let origin =
      startDate.map { $0.milliseconds &+ zone.offsetSeconds($0) &* 1000 } ?? 0
    let rest = origin % step
    var at = rest == 0 ? 0 : step - (rest < 0 ? rest + step : rest)
    var ticks: [Tick] = []
    while at <= end.milliseconds, ticks.count < 12 {
      let instant = Instant(milliseconds: at)
      let isMinor = (origin &+ at) / step % 2 != 0
      if let startDate, let time = zone.civil(startDate + Milliseconds(at)) {
        let isDay = time.hour == 0 && time.minute == 0
        let clock = PageZone.two(time.hour) + ":" + PageZone.two(time.minute)
        ticks.append(
          Tick(
            at: instant, label: isDay ? Self.day(time) : clock, isDay: isDay, isMinor: isMinor))
      } else {
        let label = TextReport.clock(at)
        ticks.append(
          Tick(at: instant, label: String(label.dropLast(3)), isDay: false, isMinor: isMinor))
      }
      at += step
    }
    return ticks
  }
}
