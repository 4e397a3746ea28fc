import Statistics
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

  func say(_ phrase: RunPagePhrase, _ arguments: String...) -> String {
    phrase.text(in: language, filling: arguments)
  }

  /// An escaped heading.
  func heading(_ phrase: RunPagePhrase) -> String { Markup.element("h2", say(phrase)) }

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
          ? RunPagePhrase.claimsHold.text(in: language, count: Int64(count))
          : RunPagePhrase.claimsFail.text(in: language, count: Int64(failed), "\(count)"))
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

// How far, how fast and how high, by the captures.
extension RunPage {
  private static let width = 720.0
  private static let height = 160.0

  var statistics: String {
    guard facts.history.points.count > 1 else { return "" }
    var statistics = SessionStatistics(facts.history.points)
    // So that there are fifty marks at most.
    let rounds: [Int64] = [1000, 2000, 5000, 10_000]
    let every = rounds.first { statistics.whole.metres <= Double($0) * 50 }
    if every != statistics.every {
      statistics = SessionStatistics(facts.history.points, every: every ?? 50_000)
    }
    let text = StatisticsText(
      statistics, in: language, clocks: say(.time), offsetSeconds: facts.zone.offsetSeconds)
    let entries = text.entries.map { name, value in
      "<div>" + Markup.element("dt", name.text(in: language)) + Markup.element("dd", value)
        + "</div>"
    }
    let title = StatisticsPhrase.title.text(in: language)
    let rows = statistics.marks.map { mark in ("", text.row(mark).map { Markup.escaped($0) }) }
    return "<section id=\"statistics\">" + Markup.element("h2", title)
      + "<dl class=\"key\">\(entries.joined())</dl>" + profile(statistics)
      + Markup.table(title, text.head, rows) + "</section>\n"
  }

  /// The altitude along the way; empty without altitudes.
  private func profile(_ statistics: SessionStatistics) -> String {
    let stride = statistics.profile.count / ReportBounds.profileHeights + 1
    let points = statistics.profile.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    guard points.count > 1, let low = statistics.whole.lowest, let high = statistics.whole.highest,
      statistics.whole.metres > 0
    else { return "" }
    // A flat way is drawn in a picture of 20 m.
    let span = max(20_000, Double(high) - Double(low))
    let line = points.map { metres, height in
      Markup.number(50 + metres / statistics.whole.metres * (Self.width - 60), 1) + " "
        + Markup.number(Self.height - 20 - (Double(height) - Double(low)) / span * 120, 1)
    }
    let label = StatisticsPhrase.profile.text(in: language)
    func metres(_ height: Int32) -> Int { Int((Double(height) / 1000).rounded()) }
    func mark(_ text: String, _ place: String) -> String { Markup.element("text", text, place) }
    let length = Quantity.decimal(statistics.whole.metres / 1000, 1, in: language)
    return "<svg viewBox=\"0 0 720 172\" role=\"img\" aria-label=\"\(Markup.escaped(label))\">"
      + "<path class=\"way\" d=\"M\(line.joined(separator: "L"))\"/>"
      + mark("\(metres(low)) m", "x=\"0\" y=\"\(Markup.number(Self.height - 20, 0))\"")
      + mark("\(metres(high)) m", "x=\"0\" y=\"\(span > 20_000 ? 20 : 60)\"")
      + mark("\(length) km", "x=\"710\" y=\"170\" text-anchor=\"end\"") + "</svg>\n"
  }
}
