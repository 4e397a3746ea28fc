import TrackerCore
import Wording

/// The silences of a summary as two lanes along a time scale, and as a table.
struct SilenceLanes {
  private struct Entry {
    var isCapturing: Bool
    var from: Instant
    var to: Instant
    var reason: String
  }

  /// More cannot be distinguished.
  private static let most = 400

  private let entries: [Entry]
  /// Of both kinds, with those that are not shown.
  private var count: Int { counts.values.reduce(0, +) }
  /// By whether it is one of capturing.
  private let counts: [Bool: Int]
  private let totals: [Bool: Milliseconds]
  private let scale: TimeScale
  private let language: Language

  init(_ figures: Figure, _ scale: TimeScale, in language: Language) {
    self.scale = scale
    self.language = language
    var entries: [Entry] = []
    if case .list(let silences) = figures[path: "silence"] {
      for silence in silences {
        let one = ReportLines(silence, in: language)
        guard let from = one.instant("from"), let to = one.instant("to"), to > from else {
          continue
        }
        entries.append(
          Entry(
            isCapturing: one.word("of") == "capturing", from: from, to: to,
            reason: one.silenceReason))
      }
    }
    let groups = Dictionary(grouping: entries, by: \.isCapturing)
    counts = groups.mapValues(\.count)
    totals = groups.mapValues { $0.reduce(Milliseconds(0)) { $0 + ($1.to - $1.from) } }
    if entries.count > Self.most {
      entries.sort { $0.to - $0.from > $1.to - $1.from }
      entries = Array(entries.prefix(Self.most))
      entries.sort { $0.from < $1.from }
    }
    self.entries = entries
  }

  /// The lanes, with a prefix for their names where there are those of several runs.
  func lanes(_ prefix: String = "") -> String {
    lane(prefix, .noCapture, isCapturing: true) + lane(prefix, .notSent, isCapturing: false)
  }

  private func lane(_ prefix: String, _ name: SilencePhrase, isCapturing: Bool) -> String {
    let own = entries.filter { $0.isCapturing == isCapturing }
    let blocks = own.map { entry in
      Lane.block(
        from: entry.from, to: entry.to, scale, kind: isCapturing ? "c" : "t", entry.reason,
        time: scale.text(entry.from) + ", " + Quantity.span(entry.to - entry.from, in: language))
    }
    let title = prefix + name.text(in: language)
    let summary =
      own.isEmpty
      ? PagePhrase.noSilence.text(in: language)
      : "\(counts[isCapturing] ?? 0) · "
        + Quantity.span(totals[isCapturing] ?? 0, in: language)
    return Lane.html(
      title, summary, blocks.joined(), in: language, hasTable: !entries.isEmpty)
  }

  func table(_ prefix: String = "") -> String {
    if entries.isEmpty { return "" }
    func say(_ phrase: PagePhrase) -> String { phrase.text(in: language) }
    let rows = entries.map { entry in
      let name: SilencePhrase = entry.isCapturing ? .noCapture : .notSent
      return (
        "",
        [
          Markup.escaped(name.text(in: language)), scale.text(entry.from), scale.text(entry.to),
          Quantity.span(entry.to - entry.from, in: language), Markup.escaped(entry.reason),
        ]
      )
    }
    let note =
      count > entries.count
      ? Markup.element(
        "p", PagePhrase.more.text(in: language, "\(entries.count)", "\(count)"), "class=\"note\"")
      : ""
    return Markup.table(
      prefix + SilencePhrase.title.text(in: language),
      [say(.silence), say(.from), say(.until), say(.lasted), say(.reason)], rows) + note
  }
}

/// A row of blocks along a time scale.
enum Lane {
  static func html(
    _ title: String, _ summary: String, _ content: String, in language: Language,
    height: String = "", hasTable: Bool = false, below: String = ""
  ) -> String {
    let label =
      hasTable
      ? PagePhrase.overTimeLabel.text(in: language, title, summary)
      : title + language.colon + summary
    return "<div class=\"lane\"><h3>\(Markup.escaped(title)) <small>\(Markup.escaped(summary))"
      + "</small></h3><div class=\"plot \(height)\" role=\"img\" "
      + "aria-label=\"\(Markup.escaped(label))\">\(content)</div>\(below)</div>\n"
  }

  /// - Parameters:
  ///   - kind: the class that gives it its look.
  ///   - text: shown in it where there is room, and by itself when somebody points at it.
  static func block(
    from: Instant, to: Instant, _ scale: TimeScale, kind: String, _ text: String, time: String
  ) -> String {
    let left = scale.percent(from)
    let width = max(0.15, scale.percent(to) - left)
    // In a narrow one a text would only be cut off.
    let shown = width > 12 ? Markup.escaped(text) : ""
    // The shortest is wider than its time, and must not be so beyond the end.
    let place =
      left < 99
      ? "left:\(Markup.number(left, 3))%"
      : "right:\(Markup.number(max(0, 100 - left - width), 3))%"
    return "<span class=\"b \(kind)\" style=\"\(place);width:\(Markup.number(width, 3))%\" "
      + "title=\"\(Markup.escaped(time + ": " + text))\">\(shown)</span>"
  }

  /// The axis below the lanes.
  static func axis(_ scale: TimeScale) -> String {
    "<div class=\"axis\" aria-hidden=\"true\">"
      + scale.ticks.map { tick in
        let place = scale.percent(tick.at)
        let side = place < 4 ? " l" : place > 96 ? " r" : ""
        return "<span class=\"\(tick.isDay ? "day" : "")\(tick.isMinor ? " o" : "")\(side)\" "
          + "style=\"left:\(Markup.number(place, 3))%\">\(tick.label)</span>"
      }.joined() + "</div>\n"
  }

  /// Thin lines at the ticks of the axis.
  static func grid(_ scale: TimeScale) -> String {
    scale.ticks.map { "<i style=\"left:\(scale.x($0.at))%\"></i>" }.joined()
  }
}
