import Statistics
import Wording

// How far, how fast and how high, by the captures.
extension RunPage {
  private static let width = 720.0
  private static let height = 160.0
  /// More would not be seen.
  private static let mostHeights = 240

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
    let stride = statistics.profile.count / Self.mostHeights + 1
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
