public import TrackerCore

/// The time between contacts, and which setting determines it.
public enum ContactText {
  /// `10 min apart, by reconnectFloor: transmit.interval is shorter`
  public static func text(of configuration: Configuration) -> String {
    let interval = text(of: configuration.contactInterval)
    if case .adaptive = configuration.capture { return "\(interval) apart, more or less by budget" }
    return "\(interval) apart, \(configuration.contactRule.text)"
  }

  /// `7 s`, `12 min`, `3 h`, `3 h 05 min`.
  static func text(of time: Milliseconds) -> String {
    let seconds = max(0, time.count / 1000)
    if seconds < 120 { return "\(seconds) s" }
    let minutes = seconds / 60
    let rest = minutes % 60
    if minutes < 120 { return "\(minutes) min" }
    let more = rest == 0 ? "" : " \(rest < 10 ? "0" : "")\(rest) min"
    return "\(minutes / 60) h\(more)"
  }
}
