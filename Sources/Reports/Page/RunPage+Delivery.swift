import TrackerCore
import Wording

// How long captures took to arrive.
extension RunPage {
  /// Upper ends of the classes, seconds.
  private static let ends: [Int64] = [
    5, 10, 15, 20, 30, 45, 60, 120, 300, 900, 1800, 3600, 7200, 21_600, 86_400,
  ]

  var delivery: String {
    let open = "<section>" + heading(.delivery) + Markup.element("p", lines.latency)
    guard !facts.latencies.isEmpty else { return open + "</section>\n" }
    var counts = [Int](repeating: 0, count: Self.ends.count + 1)
    for latency in facts.latencies {
      counts[Self.ends.firstIndex { latency <= $0 * 1000 } ?? Self.ends.count] += 1
    }
    let most = counts.max() ?? 0
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = counts.lastIndex { $0 > 0 } ?? 0
    let rows = (first...last).map { index in
      let isLast = index == Self.ends.count
      let name =
        isLast
        ? say(.longer)
        : say(.atMost, Quantity.span(.seconds(Self.ends[index]), in: language))
      let share = Double(counts[index]) / Double(facts.latencies.count) * 100
      return Bars.row(
        name, [("s", Double(counts[index]) / Double(max(1, most)) * 100)],
        [
          Quantity.integer(counts[index], in: language),
          Quantity.decimal(share, 0, in: language) + " %",
        ])
    }
    return open + Bars.table([say(.deliveredAfter), "", say(.captures), say(.share)], rows)
      + "</section>\n"
  }
}

/// Tables with bars: picture and text equivalent in one.
enum Bars {
  static func table(_ head: [String], _ rows: [String]) -> String {
    "<table class=\"bars\"><thead><tr>"
      + head.map { $0.isEmpty ? "<td></td>" : Markup.element("th", $0, "scope=\"col\"") }.joined()
      + "</tr></thead><tbody>\n\(rows.joined())</tbody></table>\n"
  }

  /// - Parameter parts: pieces of the bar, each with the class that colours it and its percentage
  ///   of the room.
  static func row(
    _ name: String, _ parts: [(kind: String, percent: Double)], _ cells: [String]
  ) -> String {
    "<tr>" + Markup.element("th", name, "scope=\"row\"") + "<td class=\"bar\">"
      + parts.map {
        "<span class=\"\($0.kind)\" style=\"width:\(Markup.number($0.percent, 2))%\"></span>"
      }.joined() + "</td>"
      + cells.map { Markup.element("td", $0) }.joined() + "</tr>\n"
  }
}

/// Who used how much energy, of one run or of several.
enum EnergyBars {
  private static let parts = ["board", "receiver", "modem", "conversion"]

  /// - Parameter runs: the figures of each, with its name if there are several.
  static func html(_ runs: [(name: String?, figures: Figure)], in language: Language) -> String {
    func say(_ phrase: RunPagePhrase) -> String { phrase.text(in: language) }
    let lines = runs.map { ReportLines($0.figures, in: language) }
    func joules(_ run: Int, _ part: String) -> Double {
      (lines[run].value("energy.by_part.\(part)") ?? 0) * 3.6
    }
    let most =
      runs.indices.flatMap { run in parts.map { part in joules(run, part) } }.max() ?? 0
    var rows: [String] = []
    for part in parts {
      for run in runs.indices {
        let all = parts.reduce(0) { $0 + joules(run, $1) }
        let name = FigureName(key: part)?.text(in: language) ?? part
        let own = joules(run, part)
        rows.append(
          Bars.row(
            (runs[run].name.map { $0 + " " } ?? "") + name,
            [(run == 0 ? "e" : "q", most > 0 ? max(0, own / most * 100) : 0)],
            [
              Quantity.integer(Int64(own.rounded()), in: language) + " J",
              Quantity.decimal(all > 0 ? own / all * 100 : 0, 0, in: language) + " %",
            ]))
      }
    }
    let texts = lines.map { Markup.element("p", $0.energy) }.joined()
    return "<section>" + Markup.element("h2", say(.energy)) + texts
      + Bars.table([say(.part), "", say(.joules), say(.share)], rows) + "</section>\n"
  }
}

/// How much of the time a modem was how far: in pieces of the time, whose width doubles whenever
/// there would be too many, so that nothing is lost but detail.
struct ModemShares: Sendable, Equatable {
  /// Milliseconds at each level from `ModemLevel.starting` on.
  typealias Bin = [Int64]

  static let levels = ModemLevel.allCases.count - 1

  private(set) var bins: [Bin] = []
  private(set) var width = Milliseconds.minutes(1)

  init() {}

  /// - Parameter end: not before `start`.
  mutating func add(_ level: ModemLevel, from start: Instant, to end: Instant) {
    guard level != .off, start.milliseconds >= 0, end > start else { return }
    while (end.milliseconds - 1) / width.count >= Int64(ReportBounds.modemBins) { merge() }
    let index = Int(level.rawValue) - 1
    var at = start.milliseconds
    while at < end.milliseconds {
      let bin = Int(at / width.count)
      while bins.count <= bin { bins.append(Bin(repeating: 0, count: Self.levels)) }
      let next = min(end.milliseconds, (at / width.count + 1) * width.count)
      bins[bin][index] += next - at
      at = next
    }
  }

  /// A piece from a file; they come in order. One that is not possible is left out.
  mutating func restore(_ bin: Bin, of width: Milliseconds) {
    guard bins.count < ReportBounds.modemBins, width > 0, bins.isEmpty || width == self.width,
      bin.count == Self.levels, bin.allSatisfy({ (0...width.count).contains($0) })
    else { return }
    self.width = width
    bins.append(bin)
  }

  private mutating func merge() {
    width = width + width
    bins = stride(from: 0, to: bins.count, by: 2).map { index in
      zip(bins[index], index + 1 < bins.count ? bins[index + 1] : Bin(repeating: 0, count: 4))
        .map { $0 + $1 }
    }
  }
}
