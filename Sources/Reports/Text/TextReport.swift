import Statistics
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

/// The lines of a summary, with a column of names.
struct ReportLines {
  private(set) var text = ""
  private let figures: Figure
  private let language: Language
  /// The width of the column of names in this language.
  private let margin: Int

  init(_ figures: Figure, in language: Language) {
    self.figures = figures
    self.language = language
    let longest = ReportName.allCases.map { $0.text(in: language).count }.max() ?? 0
    margin = longest + 2
  }

  // MARK: Figures

  /// A name, or a number used as a name: never in groups of digits. `-` if there is none.
  func word(_ path: String) -> String {
    switch figures[path: path] {
    case .text(let value): value
    case .whole(let value): String(value)
    case .boolean(let value): String(value)
    case .real(let value, let decimals): Figure.fixed(value, decimals)
    case .object, .list, .some(.none), nil: "-"
    }
  }

  /// A number as people write it, `-` if there is none.
  func number(_ path: String) -> String {
    switch figures[path: path] {
    case .text(let value): value
    case .whole(let value): Quantity.integer(value, in: language)
    case .boolean(let value): String(value)
    case .real(let value, let decimals): decimal(value, decimals)
    case .object, .list, .some(.none), nil: "-"
    }
  }

  /// Figures that were read from a file may be anything; within these bounds their milliseconds
  /// are whole numbers.
  func value(_ path: String) -> Double? {
    switch figures[path: path] {
    case .whole(let value): min(1e15, max(-1e15, Double(value)))
    case .real(let value, _): min(1e15, max(-1e15, value))
    case .text, .boolean, .object, .list, .some(.none), nil: nil
    }
  }

  private func decimal(_ value: Double, _ decimals: Int) -> String {
    Quantity.decimal(value, decimals, in: language)
  }

  /// A time since the start, in seconds, as an instant.
  func instant(_ path: String) -> Instant? {
    guard let seconds = value(path), abs(seconds) < 1e12 else { return nil }
    return Instant(milliseconds: Int64((seconds * 1000).rounded()))
  }

  func time(_ path: String) -> String {
    value(path).map { TextReport.clock(Int64($0 * 1000)) } ?? "-"
  }

  private func doubted(_ path: String, by doubt: String) -> String {
    Doubt.text(time(path), Milliseconds(Int64((value(doubt) ?? 0) * 1000)))
  }

  // MARK: Phrases

  func phrase(_ phrase: some Catalogue, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  func count(_ count: ReportCount, _ path: String) -> String {
    count.text(in: language, count: Int64(value(path) ?? 0))
  }

  /// The file, its time and the way.
  var course: String {
    let way = decimal((value("distance_m") ?? 0) / 1000, 1)
    return "\(word("trace")), \(time("duration_s")), \(way) km"
  }

  var ending: String {
    switch word("ended") {
    case "finished": phrase(RacePhrase.finished, time("drain_s"))
    case "stillPending": phrase(RacePhrase.stillPending, time("drain_s"))
    case "batteryEmpty": death
    default: word("ended")
    }
  }

  private var death: String {
    let (played, whole) = (value("duration_s") ?? 0, value("trace_s") ?? 0)
    if played >= whole { return phrase(RacePhrase.deadAfterTrace, time("drain_s")) }
    return phrase(RacePhrase.deadBefore, time("duration_s"), decimal(played / whole * 100, 0))
  }

  var uploads: String {
    phrase(
      ReportPhrase.uploads, number("uploads.succeeded"), number("uploads.attempts"),
      count(.contacts, "uploads.contacts"))
  }

  var contacts: String {
    let rule: String =
      switch word("contacts.rule") {
      case "transmitInterval": phrase(ReportPhrase.byTransmitInterval)
      case "reconnectFloor": phrase(ReportPhrase.byReconnectFloor)
      default: word("contacts.by")
      }
    return phrase(ReportPhrase.contacts, time("contacts.apart_s"), rule)
  }

  var latency: String {
    guard value("delivery.latency_s.p50") != nil else {
      return phrase(ReportPhrase.nothingDelivered)
    }
    return phrase(
      ReportPhrase.latency, span("delivery.latency_s.p50"), span("delivery.latency_s.p95"),
      span("delivery.latency_s.max"))
  }

  /// Up to two minutes in seconds, more as `0:20:15`.
  func span(_ path: String) -> String {
    guard let seconds = value(path) else { return "-" }
    return seconds < 120 ? "\(decimal(seconds, 1)) s" : time(path)
  }

  /// What is left: the median and its band.
  var battery: String {
    func whole(_ path: String) -> String { value(path).map { Figure.fixed($0, 0) } ?? "-" }
    let end = "energy.battery_end_percent"
    return phrase(ReportPhrase.battery, whole(end), whole(end + "_low"), whole(end + "_high"))
  }

  var energy: String {
    let (all, each) = (
      number("energy.consumed_mwh"), number("energy.joules_per_delivered_capture")
    )
    return each == "-"
      ? phrase(ReportPhrase.energy, all) : phrase(ReportPhrase.energyEach, all, each)
  }

  private func sentence(forReason key: String) -> String {
    Reason(name: key).map { $0.text(in: language) } ?? key
  }

  /// Why nothing was captured; `nil`: something was.
  var reasonForNothing: String? {
    guard word("captures.taken") == "0" else { return nil }
    let key = word("captures.standing_reason")
    let reason = sentence(forReason: key)
    if word("hint") == "positionsDeclaredInvalid" {
      return phrase(RacePhrase.declaredInvalid, reason)
    }
    return key == "clockUntrusted" ? phrase(RacePhrase.notBefore, reason) : reason
  }

  /// The reason of a silence, with its number.
  var silenceReason: String {
    let detail = word("detail")
    return sentence(forReason: word("reason")) + (detail == "-" ? "" : " (\(detail))")
  }

  // MARK: Lines

  mutating func gap() { text += "\n" }

  mutating func line(_ name: ReportName, _ value: String) {
    write(name, value.split(separator: " ").map(String.init), indentation: 0)
  }

  mutating func receiver() {
    line(
      .receiver,
      [
        count(.sentences, "sentences.accepted"), count(.reports, "epochs"),
        count(.fixes, "fixes.accepted"),
      ].joined(separator: ", "))
    part(.rejected, of: "sentences.rejected")
    part(.notUsed, of: "fixes", except: "accepted")
  }

  /// If nothing was captured, writes the reason, however short the run was.
  mutating func nothingTaken() {
    guard let reason = reasonForNothing else { return }
    write(.because, reason.split(separator: " ").map(String.init), indentation: 2)
  }

  /// The members of a group that are not 0.
  mutating func part(_ name: ReportName, of path: String, except: String? = nil) {
    guard case .object(let members) = figures[path: path] else { return }
    let present = members.map(\.name).filter { $0 != except && value("\(path).\($0)") ?? 0 != 0 }
    let words = present.enumerated().map { index, member in
      let called = FigureName(key: member)?.text(in: language) ?? member
      return called + " " + number("\(path).\(member)") + (index + 1 < present.count ? "," : "")
    }
    write(name, words, indentation: 2)
  }

  /// A name and words beside it, on as many lines as they need.
  private mutating func write(_ name: ReportName, _ words: [String], indentation: Int) {
    guard !words.isEmpty else { return }
    let start = indentation + margin
    var line =
      String(repeating: " ", count: indentation)
      + Self.padded(name.text(in: language), margin)
    var isFirst = true
    for word in words {
      if !isFirst && line.count + 1 + word.count > TextReport.columns {
        text += line + "\n"
        line = String(repeating: " ", count: start)
        isFirst = true
      }
      line += (isFirst ? "" : " ") + word
      isFirst = false
    }
    text += line + "\n"
  }

  /// How far it was on the course, if there was one.
  mutating func progress() {
    guard case .object = figures[path: "course"] else { return }
    func kilometres(_ path: String) -> String? {
      value(path).map { decimal($0 / 1000, 1) }
    }
    guard let done = kilometres("course.done_m"), let toGo = kilometres("course.to_go_m") else {
      return line(.course, phrase(PlacePhrase.never))
    }
    line(.course, phrase(PlacePhrase.done, done, toGo))
  }

  /// When it was at which place of the course.
  mutating func passages() {
    guard case .list(let passages) = figures[path: "course.passages"], !passages.isEmpty else {
      return
    }
    gap()
    text += phrase(PlacePhrase.title) + "\n"
    let kinds: [Passage.Kind] = [.entered, .left, .inferred, .missed]
    let names = kinds.map { phrase(PlacePhrase($0)) }
    let width = names.map(\.count).max() ?? 0
    for passage in passages.prefix(ReportBounds.summaryPassages) {
      let one = ReportLines(passage, in: language)
      let kind = kinds.firstIndex { "\($0.name)" == one.word("kind") }
      text +=
        "  " + Self.padded(one.doubted("at_s", by: "doubt_s"), 10, right: true) + "  "
        + Self.padded(kind.map { names[$0] } ?? one.word("kind"), width + 2)
        + one.word("place").cut(to: NameWidth.team) + "\n"
    }
    let rest = passages.count - ReportBounds.summaryPassages
    if rest > 0 { text += "  " + phrase(SilencePhrase.more, "\(rest)") + "\n" }
  }

  mutating func silences() {
    guard case .list(let silences) = figures[path: "silence"], !silences.isEmpty else { return }
    gap()
    text += SilencePhrase.title.text(in: language) + "\n"
    let (idle, unsent) = (
      SilencePhrase.noCapture.text(in: language), SilencePhrase.notSent.text(in: language)
    )
    for silence in silences.prefix(20) {
      let one = ReportLines(silence, in: language)
      text +=
        "  " + Self.padded(one.time("from"), 10, right: true) + " - "
        + Self.padded(one.time("to"), 9, right: true) + "  "
        + Self.padded(
          one.word("of") == "capturing" ? idle : unsent, max(idle.count, unsent.count) + 2)
        + one.silenceReason + "\n"
    }
    if silences.count > 20 {
      text += "  " + SilencePhrase.more.text(in: language, "\(silences.count - 20)") + "\n"
    }
  }

  private static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
