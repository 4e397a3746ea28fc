public import Statistics
import TrackerCore
public import Wording

/// The page of a comparison over a course: who was ahead where, as a picture and a table.
public struct CourseComparisonPage {
  private let comparison: CourseComparison
  private let text: CourseComparisonText
  private let language: Language

  public init(_ comparison: CourseComparison, in language: Language) {
    self.comparison = comparison
    self.language = language
    text = CourseComparisonText(comparison, in: language)
  }

  /// - Parameter program: what made it.
  public func html(by program: String) -> String {
    var body = "<header>" + Markup.element("h1", text.title)
    for line in text.lines.dropLast() { body += Markup.element("p", line) }
    body += "</header>\n<section class=\"verdict good\">"
    body += Markup.element("p", RunPage.capitalised(text.conclusion), "class=\"lead\"")
    body += "</section>\n"
    if text.hasTable { body += "<section>" + picture + table + "</section>\n" }
    body += Markup.element("footer", program)
    return PageShell.html(title: text.title, language: language, body: body, script: false)
  }

  private var table: String {
    Markup.openTable(text.head, comparison.rows.map { text.cells($0) })
  }

  /// The lead of A along the course: above the middle A is ahead, below it B. The band shows how
  /// far it may be off.
  private var picture: String {
    let leads = comparison.rows.compactMap { row in
      row.lead.map { (metres: row.mark.metres, lead: $0.count, doubt: row.leadDoubt.count) }
    }
    guard let length = leads.last?.metres, leads.count > 1, length > 0 else { return "" }
    let most = max(60_000, leads.map { abs($0.lead) + $0.doubt }.max() ?? 0)
    func point(_ metres: Double, _ lead: Int64) -> String {
      Markup.number(metres / length * 680 + 10, 1) + " "
        + Markup.number(100 - Double(lead) / Double(most) * 85, 1)
    }
    let line = ["10 100"] + leads.map { point($0.metres, $0.lead) }
    let upper = leads.map { point($0.metres, $0.lead + $0.doubt) }
    let lower = leads.reversed().map { point($0.metres, $0.lead - $0.doubt) }
    let band = (["10 100"] + upper + lower).joined(separator: "L")
    let scale = text.time(Milliseconds(most)).dropLast(3)
    return "<svg viewBox=\"0 0 720 200\" role=\"img\" aria-label=\"\(Markup.escaped(text.title))\">"
      + "<path class=\"band\" d=\"M\(band)Z\"/>"
      + "<g class=\"scale\"><path d=\"M10 100H690\"/></g>"
      + "<path class=\"way\" d=\"M\(line.joined(separator: "L"))\"/>"
      + Markup.element("text", "A +\(scale)", "x=\"12\" y=\"20\"")
      + Markup.element("text", "B +\(scale)", "x=\"12\" y=\"192\"") + "</svg>\n"
  }
}
