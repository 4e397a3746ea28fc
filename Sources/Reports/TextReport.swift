import TrackerCore
public import Wording

/// The figures of a run as text, 80 columns wide.
public enum TextReport {
  public static func text(of figures: Figure) -> String {
    var report = Report(figures)
    let isDead = report["ended"] == "batteryEmpty"
    if isDead { report.line("ended", report.ending) }
    report.line("trace", "\(report["trace"]), \(report.time("duration_s")), \(report.way)")
    report.line(
      "run", "board \(report["board"]), seed \(report["seed"]), digest \(report["digest"])")
    if !isDead { report.line("ended", report.ending) }
    report.gap()
    report.receiver()
    report.gap()
    report.line(
      "captures",
      "\(report["captures.taken"]) taken, \(report["captures.acknowledged"]) acknowledged, "
        + "\(report["captures.pending"]) pending, \(report["captures.set_aside"]) set aside")
    report.part("not captured", of: "not_captured")
    report.nothingTaken()
    report.line(
      "uploads",
      "\(report["uploads.succeeded"]) of \(report["uploads.attempts"]) succeeded in "
        + "\(report["uploads.contacts"]) contacts")
    report.line(
      "contacts", "\(report.time("contacts.apart_s")) apart, \(report["contacts.by"])")
    report.line(
      "on the air",
      "\(report["uploads.requests"]) requests, \(report["uploads.bytes_sent"]) bytes sent, "
        + "\(report["uploads.bytes_received"]) received")
    report.line(
      "server",
      "\(report["server.received"]) captures received, \(report["server.duplicates"]) twice; "
        + "\(report["promises.broken"]) of \(report["promises.given"]) promises broken")
    report.line("delivery", report.latency)
    report.gap()
    report.line("energy", report.energy)
    report.part("by part, mWh", of: "energy.by_part")
    report.line("battery", report.battery)
    report.silences()
    return report.text
  }

  /// The summary of a replay, which only knows what was recorded.
  public static func replay(of figures: Figure, program: String) -> String {
    var report = Report(figures)
    report.line("recording", "\(report["trace"]), \(report.time("duration_s")), \(report.way)")
    report.line("run", "recorded by \(program), digest \(report["digest"])")
    report.receiver()
    report.line("captures", "\(report["captures.taken"]) taken")
    report.part("not captured", of: "not_captured")
    report.line(
      "uploads",
      "\(report["uploads.succeeded"]) of \(report["uploads.attempts"]) succeeded in "
        + "\(report["uploads.contacts"]) contacts")
    report.silences()
    return report.text
  }

  /// Milliseconds as `26:03:04`.
  public static func clock(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }
}

/// Lines of a report, with a column of names.
private struct Report {
  private(set) var text = ""
  private let figures: Figure

  init(_ figures: Figure) { self.figures = figures }

  /// A figure as printed, `-` if there is none.
  subscript(path: String) -> String {
    switch figures[path: path] {
    case .text(let value): value
    case .integer(let value): String(value)
    case .boolean(let value): String(value)
    case .real(let value, let decimals): Figure.fixed(value, decimals)
    case .object, .list, .some(.none), nil: "-"
    }
  }

  private func number(_ path: String) -> Double? {
    switch figures[path: path] {
    case .integer(let value): Double(value)
    case .real(let value, _): value
    case .text, .boolean, .object, .list, .some(.none), nil: nil
    }
  }

  // MARK: Phrases

  func time(_ path: String) -> String {
    number(path).map { TextReport.clock(Int64($0 * 1000)) } ?? "-"
  }

  var way: String { Figure.fixed((number("distance_m") ?? 0) / 1000, 1) + " km" }

  var ending: String {
    switch self["ended"] {
    case "finished": "all sent, \(time("drain_s")) after the trace"
    case "stillPending": "with captures still pending, \(time("drain_s")) after the trace"
    case "batteryEmpty": "battery below its cut-off " + death
    default: self["ended"]
    }
  }

  /// When the battery was empty.
  private var death: String {
    let (played, whole) = (number("duration_s") ?? 0, number("trace_s") ?? 0)
    if played >= whole { return "\(time("drain_s")) after the trace" }
    return "after \(time("duration_s")); only \(Figure.fixed(played / whole * 100, 0)) % of the "
      + "trace was played"
  }

  var latency: String {
    guard number("delivery.latency_s.p50") != nil else { return "nothing delivered" }
    return "half within \(span("delivery.latency_s.p50")), "
      + "95 % within \(span("delivery.latency_s.p95")), "
      + "all within \(span("delivery.latency_s.max"))"
  }

  /// Up to two minutes in seconds, more as `0:20:15`.
  private func span(_ path: String) -> String {
    guard let seconds = number(path) else { return "-" }
    return seconds < 120 ? "\(Figure.fixed(seconds, 1)) s" : time(path)
  }

  /// `44 % (31-55) left`: the median and its band.
  var battery: String {
    func whole(_ path: String) -> String { number(path).map { Figure.fixed($0, 0) } ?? "-" }
    let end = "energy.battery_end_percent"
    return "\(whole(end)) % (\(whole(end + "_low"))-\(whole(end + "_high"))) left"
  }

  var energy: String {
    let each = self["energy.joules_per_delivered_capture"]
    return "\(self["energy.consumed_mwh"]) mWh"
      + (each == "-" ? "" : ", \(each) J for each delivered capture")
  }

  // MARK: Lines

  mutating func receiver() {
    line(
      "receiver",
      "\(self["sentences.accepted"]) sentences, \(self["epochs"]) reports, "
        + "\(self["fixes.accepted"]) fixes")
    part("rejected", of: "sentences.rejected")
    part("not used", of: "fixes", except: "accepted")
  }

  /// If nothing was captured, writes the reason, however short the run was.
  mutating func nothingTaken() {
    guard self["captures.taken"] == "0" else { return }
    let key = self["captures.standing_reason"]
    let cure =
      key == "clockUntrusted" ? " (dates before the configuration's notBefore are not)" : ""
    text += "  " + Self.padded("because", 14) + Self.sentence(for: key) + cure + "\n"
  }

  mutating func gap() { text += "\n" }

  mutating func line(_ name: String, _ value: String) {
    text += Self.padded(name, 14) + value + "\n"
  }

  /// The members of a group that are not 0, wrapped as needed.
  mutating func part(_ name: String, of path: String, except: String? = nil) {
    guard case .object(let members) = figures[path: path] else { return }
    let words = members.filter { $0.name != except }
      .filter { number("\(path).\($0.name)") ?? 0 != 0 }
      .map { "\($0.name) " + self["\(path).\($0.name)"] }
    var line = ""
    var isFirst = true
    for word in words + [""] {
      if !line.isEmpty && (word.isEmpty || line.count + word.count > 60) {
        text += "  " + Self.padded(isFirst ? name : "", 14) + line + "\n"
        isFirst = false
        line = ""
      }
      line += (line.isEmpty ? "" : ", ") + word
    }
  }

  mutating func silences() {
    guard case .list(let silences) = figures[path: "silence"], !silences.isEmpty else { return }
    gap()
    text += "Silences of a minute and more:\n"
    for silence in silences.prefix(20) {
      let one = Report(silence)
      let detail = one["detail"] == "-" ? "" : " (\(one["detail"]))"
      text +=
        "  " + Self.padded(one.time("from"), 10, right: true) + " - "
        + Self.padded(one.time("to"), 9, right: true) + "  "
        + Self.padded(one["of"] == "capturing" ? "no capture" : "not sent", 12)
        + Self.sentence(for: one["reason"]) + detail + "\n"
    }
    if silences.count > 20 { text += "  and \(silences.count - 20) more (--json lists all)\n" }
  }

  private static func sentence(for key: String) -> String {
    Reason.all.first { "\($0.key)" == key }.map { "\($0.text(in: .english))" } ?? key
  }

  private static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
