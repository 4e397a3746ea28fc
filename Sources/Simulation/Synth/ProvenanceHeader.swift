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
      "# Date: \(TimeText.text(options.start))",
      "# Location: \(course.name), km \(from) to \(to)",
    ]
    if let comment = options.comment { lines.append("# Comment: \(comment)") }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func kilometres(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
