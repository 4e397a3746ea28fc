public import TrackerCore

/// The short message with a position.
///
///     Els Senglars 42.18220 2.48900 2026-05-02 14:03 UTC 5 m 76%
public enum PositionText {
  /// The message for a capture, at most 160 characters.
  public static func text(of capture: Capture) -> String {
    let team = String(
      decoding: (0..<capture.team.count).map { capture.team[$0] }, as: UTF8.self)
    var words = [team.isEmpty ? "trailtracker" : team]
    words.append(degrees(capture.position.latitude))
    words.append(degrees(capture.position.longitude))
    words.append(date(capture))
    if let accuracy = capture.accuracyMetres { words.append("\(accuracy) m") }
    if let percent = capture.batteryPercent { words.append("\(percent)%") }
    return String(ModemText.plain(words.joined(separator: " ")))
  }

  /// Five decimals, about a metre.
  private static func degrees(_ value: Int32) -> String {
    let units = (Int64(value.magnitude) + 50) / 100
    let fraction = String(units % 100_000)
    let zeros = String(repeating: "0", count: 5 - fraction.count)
    return "\(value < 0 ? "-" : "")\(units / 100_000).\(zeros)\(fraction)"
  }

  private static func date(_ capture: Capture) -> String {
    guard capture.isTimeTrusted, let utc = capture.utc else { return "(time unknown)" }
    guard let time = CivilTime(utc) else { return "(time unknown)" }
    let day = "\(time.year)-\(two(time.month))-\(two(time.day))"
    return "\(day) \(two(time.hour)):\(two(time.minute)) UTC"
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
