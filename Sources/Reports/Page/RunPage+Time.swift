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
      let kind: PagePhrase =
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
  /// Steps of a modem that a lane shows apart: some 80 contacts, each 10 pixels wide on a screen.
  private static let mostSteps = 480
  /// The same of the queue, which falls once in a contact.
  private static let mostFalls = 80

  func modemLane(_ prefix: String = "") -> String {
    if facts.history.modem.steps.count > Self.mostSteps, !facts.history.modemShares.bins.isEmpty {
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
    if series.falls > Self.mostFalls {
      let (width, ranges) = series.ranges(until: facts.end, most: ModemShares.most)
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
