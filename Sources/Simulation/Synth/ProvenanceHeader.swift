import TrackerCore

/// Comment lines at the top of a trace with its origin, like those of gpsd's logs.
enum ProvenanceHeader {
  static let commandKey = "# Command: "

  static func text(command: String, options: SynthOptions, course: Course) -> String {
    let from = kilometres(options.fromKilometres)
    let to = kilometres(options.toKilometres ?? course.length / 1000)
    var lines = [
      "# Name: \(options.name)",
      "# Chipset: none; made by trailtracker, a walk that nobody walked",
      commandKey + command,
      "# Seed: \(options.seed)",
      "# Date: \(date(options.start))",
      "# Location: \(course.name), km \(from) to \(to)",
    ]
    if let comment = options.comment { lines.append("# Comment: \(comment)") }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func kilometres(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// `2026-04-18T08:00:00Z`
  private static func date(_ start: UTC) -> String {
    guard let time = CivilTime(start) else { return "" }
    let parts = [time.month, time.day, time.hour, time.minute, time.second].map(padded)
    return "\(time.year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
