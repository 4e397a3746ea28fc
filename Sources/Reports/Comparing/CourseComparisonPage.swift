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

  /// The lead of A along the course: above the middle A is ahead, below it B.
  private var picture: String {
    let leads = comparison.rows.compactMap { row in
      row.lead.map { (row.mark.metres, Double($0.count)) }
    }
    guard let length = leads.last?.0, leads.count > 1, length > 0 else { return "" }
    let most = max(1, leads.map { abs($0.1) }.max() ?? 1)
    let points = [(0.0, 0.0)] + leads
    let line = points.map { metres, lead in
      Markup.number(metres / length * 700 + 10, 1) + " "
        + Markup.number(100 - lead / most * 85, 1)
    }
    return "<svg viewBox=\"0 0 720 200\" role=\"img\" aria-label=\"\(Markup.escaped(text.title))\">"
      + "<path class=\"hole\" d=\"M10 100H710\"/>"
      + "<path class=\"way\" d=\"M\(line.joined(separator: "L"))\"/>"
      + Markup.element("text", "A", "x=\"12\" y=\"20\"")
      + Markup.element("text", "B", "x=\"12\" y=\"192\"") + "</svg>\n"
  }
}
