import TrackerCore
import Wording

/// A picture of a run: one page of HTML that needs nothing else, for a browser or a printer.
public struct RunPage {
  let facts: PageFacts
  let language: Language
  let scale: TimeScale
  let lines: ReportLines

  /// - Parameter scale: `nil`: of this run alone.
  init(_ facts: PageFacts, scale: TimeScale? = nil) {
    self.facts = facts
    language = facts.language
    self.scale =
      scale
      ?? TimeScale(end: facts.end, startDate: facts.history.startDate, zone: facts.zone)
    lines = ReportLines(facts.figures, in: facts.language)
  }

  public static func html(_ facts: PageFacts) -> String {
    let page = RunPage(facts)
    let title = page.say(.title, page.lines.word("trace"))
    return PageShell.html(
      title: title, language: facts.language,
      body: page.head(title) + page.verdict + page.keyFigures + page.course + page.statistics
        + page.overTime
        + page.delivery
        + EnergyBars.html([(nil, facts.figures)], in: facts.language) + page.captureTable
        + page.allFigures + page.foot, script: true)
  }

  func say(_ phrase: PagePhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  /// An escaped heading.
  func heading(_ phrase: PagePhrase) -> String { Markup.element("h2", say(phrase)) }

  private func head(_ title: String) -> String {
    var facts: [String] = []
    if !self.facts.history.team.isEmpty { facts.append(self.facts.history.team) }
    facts.append(lines.course)
    facts.append(
      lines.phrase(RacePhrase.run, lines.word("board"), lines.word("seed"), lines.word("digest")))
    return "<header>" + Markup.element("h1", title)
      + facts.map { Markup.element("p", $0) }.joined() + Markup.element("p", clocks) + "</header>\n"
  }

  private var clocks: String {
    guard let start = scale.startDate else { return say(.noDate) }
    return say(.started, scale.text(.start)) + language.semicolon
      + say(.zone, scale.zone.title(at: start))
  }

  // MARK: Verdict

  private var verdict: String {
    let failed = facts.claims.count { !$0.holds || $0.isDead }
    let isEnded = lines.word("ended") == "finished"
    var lead = lines.ending
    if facts.claims.count > 0 {
      let count = facts.claims.count
      lead =
        (failed == 0
          ? PagePhrase.claimsHold.text(in: language, count: Int64(count))
          : PagePhrase.claimsFail.text(in: language, count: Int64(failed), "\(count)"))
        + language.semicolon + lead
    }
    let isGood = facts.claims.isEmpty ? isEnded : failed == 0
    let items = facts.claims.map { claim in
      let isGood = claim.holds && !claim.isDead
      let found =
        isGood
        ? say(.holds)
        : claim.holds ? say(.deadClaim, claim.found) : say(.fails, claim.found)
      return "<li class=\"\(isGood ? "good" : "bad")\"><code>\(Markup.escaped(claim.source))"
        + "</code> <span>\(Markup.escaped(found))</span></li>"
    }
    let list =
      items.isEmpty
      ? "" : "<ul aria-label=\"\(Markup.escaped(say(.claims)))\">\(items.joined())</ul>"
    return "<section class=\"verdict \(isGood ? "good" : "bad")\">"
      + Markup.element("p", Self.capitalised(lead), "class=\"lead\"") + list + nothingTaken
      + "</section>\n"
  }

  private var nothingTaken: String {
    guard let reason = lines.reasonForNothing else { return "" }
    return Markup.element("p", Self.capitalised(reason))
  }

  static func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  // MARK: Figures

  private var keyFigures: String {
    let captures = [
      lines.count(.taken, "captures.taken"), lines.count(.acknowledged, "captures.acknowledged"),
      lines.count(.pending, "captures.pending"), lines.count(.setAside, "captures.set_aside"),
    ].joined(separator: ", ")
    let entries: [(ReportName, String)] = [
      (.captures, captures), (.uploads, lines.uploads), (.delivery, lines.latency),
      (.battery, lines.battery), (.energy, lines.energy),
    ]
    return "<dl class=\"key\" aria-label=\"\(Markup.escaped(say(.keyFigures)))\">"
      + entries.map { name, value in
        "<div>" + Markup.element("dt", name.text(in: language)) + Markup.element("dd", value)
          + "</div>"
      }.joined() + "</dl>\n"
  }

  private var allFigures: String {
    let rows = facts.figures.paths.map { path in
      let value = lines.word(path)
      return (
        "",
        [
          "<code>\(Markup.escaped(path))</code>",
          "<data data-path=\"\(Markup.escaped(path))\" value=\"\(Markup.escaped(value))\">"
            + "\(Markup.escaped(value))</data>",
        ]
      )
    }
    return "<section>" + Markup.table(say(.figures), [say(.figure), say(.value)], rows, id: "all")
      + "<details><summary>\(Markup.escaped(say(.asText)))</summary>"
      + Markup.element("pre", TextReport.text(of: facts.figures, in: language))
      + "</details></section>\n"
  }

  private var foot: String { Markup.element("footer", facts.program) }

  // MARK: Captures

  private var captureTable: String {
    let rows = facts.history.marks.map { mark in
      let wait = mark.deliveredAt.map { $0 - mark.at }
      let state =
        wait.map { Quantity.span($0, in: language) }
        ?? say(mark.isSetAside ? .setAside : .pending)
      return (
        " data-t=\"\(scale.x(mark.at))\""
          + (mark.deliveredAt.map { " data-d=\"\(scale.x($0))\"" } ?? "")
          + (mark.isSetAside ? " data-s" : ""),
        [
          "\(mark.sequence)", scale.text(mark.at), TextReport.clock(mark.at.milliseconds),
          Quantity.position(mark.position.latitude, mark.position.longitude),
          mark.batteryPercent.map { "\($0) %" } ?? "-", Markup.escaped(state),
        ]
      )
    }
    let note =
      facts.history.stride > 1
      ? Markup.element("p", say(.reduced, "\(facts.history.stride)"), "class=\"note\"") : ""
    let head = [
      say(.capture), say(.time), say(.elapsed), say(.position), say(.battery), say(.deliveredAfter),
    ]
    return "<section>"
      + Markup.table(Self.capitalised(say(.captures)), head, rows, id: "captures") + note
      + "</section>\n"
  }
}
