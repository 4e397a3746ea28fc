import TrackerCore
public import Wording

/// The figures of a run as text for people, 80 columns wide.
public enum TextReport {
  public static let columns = 80

  public static func text(of figures: Figure, in language: Language) -> String {
    var report = ReportLines(figures, in: language)
    let isDead = report.word("ended") == "batteryEmpty"
    if isDead { report.line(.ended, report.ending) }
    report.line(.trace, report.course)
    report.progress()
    report.line(
      .run,
      report.phrase(
        RacePhrase.run, report.word("board"), report.word("seed"), report.word("digest")))
    if !isDead { report.line(.ended, report.ending) }
    report.gap()
    report.receiver()
    report.gap()
    report.line(
      .captures,
      [
        report.count(.taken, "captures.taken"),
        report.count(.acknowledged, "captures.acknowledged"),
        report.count(.pending, "captures.pending"),
        report.count(.setAside, "captures.set_aside"),
      ].joined(separator: ", "))
    report.part(.notCaptured, of: "not_captured")
    report.nothingTaken()
    report.line(.uploads, report.uploads)
    report.line(.contacts, report.contacts)
    report.line(
      .air,
      report.phrase(
        ReportPhrase.air, report.count(.requests, "uploads.requests"),
        report.number("uploads.bytes_sent"),
        report.number("uploads.bytes_received")))
    report.line(
      .server,
      report.phrase(
        ReportPhrase.server, report.count(.received, "server.received"),
        report.number("server.duplicates"), report.number("promises.broken"),
        report.number("promises.given")))
    report.line(.delivery, report.latency)
    report.gap()
    report.line(.energy, report.energy)
    report.part(.byPart, of: "energy.by_part")
    report.line(.battery, report.battery)
    report.passages()
    report.silences()
    return report.text
  }

  /// The summary of a replay, which only knows what was recorded.
  public static func replay(
    of figures: Figure, program: String, in language: Language
  ) -> String {
    var report = ReportLines(figures, in: language)
    report.line(.recording, report.course)
    report.progress()
    report.line(.run, report.phrase(RacePhrase.recorded, program, report.word("digest")))
    report.receiver()
    report.line(.captures, report.count(.taken, "captures.taken"))
    report.part(.notCaptured, of: "not_captured")
    report.line(.uploads, report.uploads)
    report.passages()
    report.silences()
    return report.text
  }

  /// Milliseconds as `26:03:04`.
  public static func clock(_ milliseconds: Int64) -> String {
    Quantity.hours(Milliseconds(milliseconds))
  }
}
