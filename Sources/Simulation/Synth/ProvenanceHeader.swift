import TrackerCore

/// Comment lines at the top of a trace that say where it comes from, in the manner of gpsd's logs.
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

  private static func date(_ start: UTC) -> String {
    let seconds = start.milliseconds / 1000
    let day = CalendarDate(dayNumber: seconds / 86_400)
    let rest = seconds % 86_400
    let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(padded).joined(separator: ":")
    return "\(day.year)-\(padded(day.month))-\(padded(day.day))T\(clock)Z"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
