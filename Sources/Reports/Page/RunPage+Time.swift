import TrackerCore
import Wording

// What happened when: lanes along one axis.
extension RunPage {
  var overTime: String {
    let silences = SilenceLanes(facts.figures, scale, in: language)
    return "<section id=\"time\">" + heading(.overTime)
      + "<div class=\"lanes\"><div class=\"grid\" "
      + "aria-hidden=\"true\">\(Lane.grid(scale))<b id=\"cursor\" hidden></b></div>"
      + silences.lanes() + coverageLane() + modemLane() + queueLane() + chargeLane()
      + Lane.axis(scale)
      + "</div>" + Markup.element("p", say(.band), "class=\"note\"") + silences.table()
      + phaseTable + "</section>\n"
  }

  func coverageLane(_ prefix: String = "") -> String {
    guard !facts.holes.isEmpty else { return "" }
    let blocks = facts.holes.prefix(400).map { hole in
      let to = min(hole.to ?? scale.end, scale.end)
      let kind: RunPagePhrase =
        switch hole.kind {
        case .noService: .noService
        case .noBearer: .noBearer
        case .denied: .denied
        }
      return hole.from < to
        ? Lane.block(
          from: hole.from, to: to, scale, kind: "h", say(kind),
          time: scale.text(hole.from) + ", " + Quantity.span(to - hole.from, in: language))
        : ""
    }
    return Lane.html(
      prefix + say(.coverage), "\(say(.hole)): \(facts.holes.count)", blocks.joined(), in: language)
  }

  // MARK: Step charts

  /// A series as a line of steps, with its area below. The ends of the axis are 0 and `top`.
  private func steps(_ series: StepSeries, top: Double, style: String) -> String {
    var line = "M0 100"
    var last: Int32 = 0
    func y(_ value: Int32) -> String { Markup.number(100 - 100 * Double(value) / top, 1) }
    for step in series.steps {
      line += "H" + Markup.number(scale.percent(step.at) * 10, 2)
      if step.peak > max(step.value, last) { line += "V\(y(step.peak))" }
      line += "V" + y(step.value)
      last = step.value
    }
    line += "H1000"
    return Self.chart(
      "<path class=\"\(style) area\" d=\"\(line)V100Z\"/><path class=\"\(style)\" "
        + "d=\"\(line)\"/>")
  }

  private static func chart(_ content: String) -> String {
    "<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\">\(content)</svg>"
  }

  /// A line of the vertical axis with its label below.
  private static func level(_ percent: Double, _ text: String) -> String {
    "<em style=\"top:\(Markup.number(100 - percent, 1))%\"><span>\(Markup.escaped(text))</span>"
      + "</em>"
  }

  /// Lines at 0 to `top`, a `step` apart.
  private func levels(_ step: Double, to top: Double) -> String {
    stride(from: step, through: top, by: step).map {
      Self.level(100 * $0 / top, Quantity.integer(Int64($0), in: language))
    }.joined()
  }

  /// The area below a value for each piece of the time.
  private func stairs(_ values: [Double], _ width: Milliseconds, top: Double, style: String)
    -> String
  {
    var line = "M0 100"
    for (index, value) in values.enumerated() {
      let end = Instant.start + Milliseconds(width.count * Int64(index + 1))
      line += "V" + Markup.number(100 - 100 * value / top, 1)
      line += "H" + Markup.number(scale.percent(end) * 10, 1)
    }
    return "<path class=\"\(style)\" d=\"\(line)V100Z\"/>"
  }

  /// What areas of several styles mean.
  private static func legend(_ entries: [(style: String, name: String)]) -> String {
    let items = entries.map { style, name in
      "<li><svg class=\"sign\" viewBox=\"0 0 20 20\" aria-hidden=\"true\">"
        + "<rect class=\"\(style)\" x=\"2\" y=\"4\" width=\"16\" height=\"12\"/></svg>"
        + Markup.escaped(name) + "</li>"
    }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }

  private static let modemNames: [ModemPhaseName] = [.starting, .searching, .registered, .inUse]

  func modemLane(_ prefix: String = "") -> String {
    let history = facts.history
    if history.modem.steps.count > ReportBounds.modemSteps, !history.modemShares.bins.isEmpty {
      return modemShares(prefix)
    }
    let names = Self.modemNames
    let top = Double(names.count)
    let levels = names.enumerated().map { index, name in
      Self.level(100 * Double(index + 1) / top, name.text(in: language))
    }.joined()
    return Lane.html(
      prefix + say(.modem), lines.count(.contacts, "uploads.contacts"),
      steps(facts.history.modem, top: top, style: "m") + levels, in: language, height: "tall",
      hasTable: prefix.isEmpty)
  }

  /// Of many contacts, how much of the time the modem was how far: the areas stand on each other,
  /// the furthest at the bottom.
  private func modemShares(_ prefix: String) -> String {
    let shares = facts.history.modemShares
    let width = Double(shares.width.count)
    // Of each piece and level, the share of the time at this level or further.
    let sums = shares.bins.map { bin in
      bin.indices.map { Double(bin[$0...].reduce(0, +)) / width * 100 }
    }
    let most = sums.compactMap(\.first).max() ?? 0
    let step = max(1, Markup.step(to: most * 2))
    let top = max(step, (most / step).rounded(.up) * step)
    let drawing = Self.modemNames.indices.map { level in
      stairs(sums.map { $0[level] }, shares.width, top: top, style: "m\(level)")
    }
    let names = Self.modemNames.enumerated().reversed().map {
      ("m\($0.offset)", $0.element.text(in: language))
    }
    return Lane.html(
      prefix + say(.modem), say(.shareOfTime) + " · " + lines.count(.contacts, "uploads.contacts"),
      Self.chart(drawing.joined()) + levels(step, to: top), in: language, height: "tall",
      hasTable: prefix.isEmpty, below: Self.legend(names))
  }

  func queueLane(_ prefix: String = "") -> String {
    let series = facts.history.queue
    let most = series.steps.map(\.peak).max() ?? 0
    let step = max(1, Markup.step(to: Double(most) * 2))
    let top = max(step, (Double(most) / step).rounded(.up) * step)
    var (drawing, legend) = ("", "")
    if series.falls > ReportBounds.queueFalls {
      let (width, ranges) = series.ranges(until: facts.end, most: ReportBounds.modemBins)
      drawing = Self.chart(
        stairs(ranges.map { Double($0.upperBound) }, width, top: top, style: "q1")
          + stairs(ranges.map { Double($0.lowerBound) }, width, top: top, style: "q0"))
      let piece = Quantity.span(width, in: language)
      legend = Self.legend([("q1", say(.highest, piece)), ("q0", say(.lowest, piece))])
    } else {
      drawing = steps(series, top: top, style: "q")
    }
    return Lane.html(
      prefix + say(.queue), "≤ " + Quantity.integer(most, in: language),
      drawing + levels(step, to: top), in: language, height: "tall", below: legend)
  }

  func chargeLane(_ prefix: String = "") -> String {
    // As many as a wide screen has columns.
    let looks = facts.history.looks
    let every = max(1, looks.count / 1000)
    let shown = looks.indices.filter { $0 % every == 0 || $0 == looks.count - 1 }.map { looks[$0] }
    func point(_ look: RunHistory.Look, _ side: Double) -> String {
      let used = max(0, facts.startPercent - look.percent)
      let percent = min(100, max(0, look.percent + side * used * facts.bandShare))
      return Markup.number(scale.percent(look.at) * 10, 1) + " "
        + Markup.number(100 - percent, 2)
    }
    var drawing = ""
    if shown.count > 1 {
      let band = shown.map { point($0, 1) } + shown.reversed().map { point($0, -1) }
      drawing =
        "<path class=\"e area\" d=\"M\(band.joined(separator: "L"))Z\"/><path class=\"e\" "
        + "d=\"M\(shown.map { point($0, 0) }.joined(separator: "L"))\"/>"
    }
    let levels = [25.0, 50, 75, 100].map { Self.level($0, Markup.number($0, 0)) }.joined()
    return Lane.html(
      prefix + say(.charge), lines.battery, Self.chart(drawing) + levels, in: language,
      height: "tall")
  }

  private var phaseTable: String {
    let times = facts.history.phaseTimes
    let rows = ModemPhaseName.allCases.enumerated().compactMap {
      index, name -> (String, [String])? in
      guard times.indices.contains(index), times[index] > 0 else { return nil }
      return (
        "",
        [
          Markup.escaped(name.text(in: language)), TextReport.clock(times[index].count),
          Quantity.decimal(scale.percent(.start + times[index]), 1, in: language) + " %",
        ]
      )
    }
    guard !rows.isEmpty else { return "" }
    return Markup.table(say(.phaseTimes), [say(.state), say(.lasted), say(.share)], rows)
  }
}

/// The silences of a summary as two lanes along a time scale, and as a table.
struct SilenceLanes {
  private struct Entry {
    var isCapturing: Bool
    var from: Instant
    var to: Instant
    var reason: String
  }

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
    if entries.count > ReportBounds.laneEntries {
      entries.sort { $0.to - $0.from > $1.to - $1.from }
      entries = Array(entries.prefix(ReportBounds.laneEntries))
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
      ? RunPagePhrase.noSilence.text(in: language)
      : "\(counts[isCapturing] ?? 0) · "
        + Quantity.span(totals[isCapturing] ?? 0, in: language)
    return Lane.html(
      title, summary, blocks.joined(), in: language, hasTable: !entries.isEmpty)
  }

  func table(_ prefix: String = "") -> String {
    if entries.isEmpty { return "" }
    func say(_ phrase: RunPagePhrase) -> String { phrase.text(in: language) }
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
        "p", RunPagePhrase.more.text(in: language, "\(entries.count)", "\(count)"),
        "class=\"note\"")
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
      ? RunPagePhrase.overTimeLabel.text(in: language, title, summary)
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

/// A value that changes in steps, such as the length of the queue, in bounded memory.
///
/// Once there are too many steps, time is divided into cells, and one step of each cell is kept:
/// with the last value in the cell, the highest and the lowest one.
struct StepSeries: Sendable, Equatable {
  struct Step: Sendable, Equatable {
    var at: Instant
    /// From here to the next step.
    var value: Int32
    /// The highest value between this step and the next, `value` at least.
    var peak: Int32
    /// The lowest one, `value` at most.
    var low: Int32
  }

  private(set) var steps: [Step] = []
  private let limit: Int
  /// The width of a cell; 0: every step is kept.
  private var cell: Int64 = 0

  init(limit: Int = 4096) { self.limit = max(2, limit) }

  /// - Parameter now: not before the last step.
  mutating func set(_ value: Int32, at now: Instant) {
    guard value != steps.last?.value else { return }
    add(Step(at: now, value: value, peak: value, low: value))
    guard steps.count > limit else { return }
    while steps.count > limit / 2 {
      cell = cell == 0 ? 1000 : cell * 2
      let all = steps
      steps = []
      for step in all { add(step) }
    }
  }

  /// A step that was in a series before; it is left out if it comes too late or is one too many.
  mutating func restore(_ step: Step) {
    guard steps.count < limit, step.at >= steps.last?.at ?? .start else { return }
    steps.append(step)
  }

  private mutating func add(_ step: Step) {
    if let last = steps.last, cell > 0, last.at.milliseconds / cell == step.at.milliseconds / cell {
      steps[steps.count - 1].value = step.value
      steps[steps.count - 1].peak = max(last.peak, step.peak)
      steps[steps.count - 1].low = min(last.low, step.low)
    } else {
      steps.append(step)
    }
  }

  /// How often the value fell.
  var falls: Int { zip(steps, steps.dropFirst()).count { max($0.value, $1.peak) > $1.value } }

  /// The lowest and the highest value in each piece of the time until `end`. Pieces are a minute
  /// wide, or twice that, and so on, so that there are `most` at most.
  func ranges(until end: Instant, most: Int) -> (width: Milliseconds, ranges: [ClosedRange<Int32>])
  {
    var width = Milliseconds.minutes(1)
    while end.milliseconds > width.count * Int64(most) { width = width + width }
    var rest = steps[...]
    var value: Int32 = 0
    var ranges: [ClosedRange<Int32>] = []
    var from = Instant.start
    while from < end {
      let to = from + width
      // The value before counts unless it changes just where the piece begins.
      var (low, high) = rest.first?.at == from ? (Int32.max, 0) : (value, value)
      while let step = rest.first, step.at < to || to >= end {
        (low, high) = (min(low, step.low), max(high, step.peak))
        value = step.value
        rest.removeFirst()
      }
      ranges.append(low...high)
      from = to
    }
    return (width, ranges)
  }
}
