import Reports
import Simulation
import TrackerCore
import Wording

/// A plan as one page of HTML with two pictures, without scripts: for a browser or a printer.
struct PlanPage {
  private let rows: [PlanRow]
  private let plan: Plan
  private let advice: PlanAdvice

  private init(_ rows: [PlanRow], _ plan: Plan, _ advice: PlanAdvice) {
    self.rows = rows
    self.plan = plan
    self.advice = advice
  }

  static func html(_ rows: [PlanRow], _ plan: Plan, _ advice: PlanAdvice) -> String {
    PlanPage(rows, plan, advice).html
  }

  // In the picture's own units. The page may show it smaller.
  private static let width = 720.0
  private static let left = 70.0
  private static let right = 24.0

  private var html: String {
    let title = Markup.escaped(say(.title, plan.description.identifier))
    return """
      <!DOCTYPE html>
      <html lang="\(plan.language.code)">
      <head>
      <meta charset="utf-8"/>
      <title>\(title)</title>
      <style>
      body { font: 16px/1.4 sans-serif; color: #222; max-width: 46em; margin: 2em auto;
        padding: 0 1em; }
      table { border-collapse: collapse; }
      th, td { padding: 0.2em 0.7em; text-align: right; }
      tr + tr td { border-top: 1px solid #ccc; }
      dt { float: left; clear: left; width: 6em; color: #666; }
      dd { margin: 0 0 0 6em; }
      svg { width: 100%; height: auto; }
      svg text { font: 13px sans-serif; fill: #222; }
      figure { margin: 1.5em 0; break-inside: avoid; }
      @media print { body { margin: 0; max-width: none; font-size: 11pt; } }
      </style>
      </head>
      <body>
      <h1>\(title)</h1>
      <dl>
      \(PlanText.facts(plan).map(Self.fact).joined(separator: "\n"))
      </dl>
      \(adviceText)
      <figure>
      \(lifetimes)
      <figcaption>\(say(.lifetimeCaption))</figcaption>
      </figure>
      <figure>
      \(joules)
      <figcaption>\(say(.energyCaption))</figcaption>
      </figure>
      \(table)
      </body>
      </html>

      """
  }

  private func say(_ phrase: PlanPhrase, _ arguments: String...) -> String {
    phrase.text(in: plan.language, filling: arguments)
  }

  private static func fact(_ fact: (name: String, value: String)) -> String {
    "<dt>\(Markup.escaped(fact.name))</dt><dd>\(Markup.escaped(fact.value))</dd>"
  }

  private var adviceText: String {
    let items = advice.remedies.map { "<li>\(Markup.escaped($0))</li>" }.joined()
    return "<p><strong>\(Markup.escaped(advice.lead))</strong></p>"
      + (items.isEmpty ? "" : "\n<ul>\(items)</ul>")
  }

  private var table: String {
    let names = [
      say(.interval), PlanName.lifetime.text(in: plan.language), say(.arrive), say(.delivered),
    ]
    let head = "<tr>" + names.map { "<th>\($0)</th>" }.joined() + "</tr>"
    let lines = rows.map { row in
      let cells = [
        PlanText.time(row.interval), Markup.escaped(PlanText.lifetime(row, in: plan.language)),
        PlanText.share(row), "\(row.captures(50)) (\(row.captures(5))-\(row.captures(95)))",
      ]
      return "<tr>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }
    return "<table>\n" + ([head] + lines).joined(separator: "\n") + "\n</table>"
  }

  // MARK: Lifetime by interval

  private static let chartHeight = 340.0
  private static let chartBottom = 290.0
  private static let chartTop = 20.0

  private var lifetimes: String {
    let finish = PlanText.hours(plan.options.hours)
    let most = rows.map { PlanText.hours($0.lifetime(95)) }.max() ?? 0
    let step = Markup.step(to: max(most, finish) * 1.05)
    let top = (max(most, finish) * 1.05 / step).rounded(.up) * step
    func y(_ hours: Double) -> Double {
      Self.chartBottom - (Self.chartBottom - Self.chartTop) * hours / top
    }
    func point(_ index: Int, _ percent: Int) -> String {
      "\(Self.figure(x(index))),\(Self.figure(y(PlanText.hours(rows[index].lifetime(percent)))))"
    }
    var svg = Self.picture(height: Self.chartHeight, say(.lifetimes))
    var mark = 0.0
    while mark <= top + step / 2 {
      svg += Self.line(Self.left, y(mark), Self.width - Self.right, y(mark), "stroke=\"#ddd\"")
      svg += Self.text(Self.left - 8, y(mark) + 4, "\(Int(mark)) h", anchor: "end")
      mark += step
    }
    let indices = Array(rows.indices)
    let band =
      indices.map { point($0, 95) } + indices.reversed().map { point($0, 5) }
    svg += "<polygon points=\"\(band.joined(separator: " "))\" fill=\"#9ecae1\"/>\n"
    let median = indices.map { point($0, 50) }.joined(separator: " ")
    svg += "<polyline points=\"\(median)\" fill=\"none\" stroke=\"#08519c\" stroke-width=\"2\"/>\n"
    for index in indices {
      let hours = { PlanText.hours(rows[index].lifetime($0)) }
      // One interval alone has no area: its band is a line.
      svg += Self.line(
        x(index), y(hours(5)), x(index), y(hours(95)), "stroke=\"#6baed6\" stroke-width=\"3\"")
      svg +=
        "<circle cx=\"\(Self.figure(x(index)))\" cy=\"\(Self.figure(y(hours(50))))\" r=\"4\" "
        + "fill=\"#08519c\"/>\n"
      svg += Self.text(x(index), Self.chartBottom + 20, PlanText.time(rows[index].interval))
    }
    svg += Self.line(
      Self.left, y(finish), Self.width - Self.right, y(finish),
      "stroke=\"#cb181d\" stroke-width=\"2\" stroke-dasharray=\"8 5\"")
    svg += Self.text(
      Self.width - Self.right, y(finish) - 6,
      say(.finishMark, Quantity.decimal(finish, 1, in: plan.language)), anchor: "end")
    svg += Self.text(
      (Self.left + Self.width - Self.right) / 2, Self.chartBottom + 42, say(.interval))
    return svg + "</svg>"
  }

  /// The place of an interval; they are evenly spaced.
  private func x(_ index: Int) -> Double {
    let room = Self.width - Self.left - Self.right
    return Self.left + room * (Double(index) + 0.5) / Double(max(1, rows.count))
  }

  // MARK: Joules by part

  private struct Part: Sendable {
    var name: PlanName
    var color: String
    var joules: @Sendable (World.Standing) -> Double
  }

  private static let parts = [
    Part(name: .board, color: "#3182bd") { $0.boardJoules },
    Part(name: .receiver, color: "#31a354") { $0.receiverJoules },
    Part(name: .modem, color: "#e6550d") { $0.modemJoules },
    Part(name: .converter, color: "#969696") { $0.conversionJoules },
  ]

  private var joules: String {
    let rowHeight = 30.0
    let top = 34.0
    let height = top + rowHeight * Double(rows.count) + 30
    let most = rows.map { row in Self.sum(row) }.max() ?? 0
    let step = Markup.step(to: most / 1000)
    let limit = max(step, (most / 1000 / step).rounded(.up) * step)
    let room = Self.width - Self.left - Self.right
    var svg = Self.picture(height: height, say(.energy))
    for (index, part) in Self.parts.enumerated() {
      let place = Self.left + Double(index) * 130
      svg += Self.box(place, 6, 14, 14, part.color)
      svg += Self.text(place + 20, 18, part.name.text(in: plan.language), anchor: "start")
    }
    for (index, row) in rows.enumerated() {
      let y = top + rowHeight * Double(index)
      svg += Self.text(Self.left - 8, y + 16, PlanText.time(row.interval), anchor: "end")
      var place = Self.left
      for part in Self.parts {
        let width = room * max(0, part.joules(row.joules)) / 1000 / limit
        svg += Self.box(place, y + 2, width, rowHeight - 8, part.color)
        place += width
      }
    }
    var mark = 0.0
    let bottom = height - 26
    while mark <= limit + step / 2 {
      let place = Self.left + room * mark / limit
      svg += Self.line(place, top, place, bottom, "stroke=\"#222\" stroke-opacity=\"0.25\"")
      svg += Self.text(
        place, bottom + 18, Quantity.decimal(mark, step < 1 ? 1 : 0, in: plan.language))
      mark += step
    }
    return svg + "</svg>"
  }

  private static func sum(_ row: PlanRow) -> Double {
    parts.reduce(0) { $0 + max(0, $1.joules(row.joules)) }
  }

  // MARK: SVG

  private static func picture(height: Double, _ title: String) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(figure(width)) \(figure(height))\" "
      + "role=\"img\">\n<title>\(title)</title>\n"
  }

  private static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String
  ) -> String {
    "<line x1=\"\(figure(x1))\" y1=\"\(figure(y1))\" x2=\"\(figure(x2))\" y2=\"\(figure(y2))\" "
      + "\(style)/>\n"
  }

  private static func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: String
  ) -> String {
    "<rect x=\"\(figure(x))\" y=\"\(figure(y))\" width=\"\(figure(width))\" "
      + "height=\"\(figure(height))\" fill=\"\(color)\"/>\n"
  }

  private static func text(
    _ x: Double, _ y: Double, _ text: String, anchor: String = "middle"
  ) -> String {
    "<text x=\"\(figure(x))\" y=\"\(figure(y))\" text-anchor=\"\(anchor)\">"
      + "\(Markup.escaped(text))</text>\n"
  }

  private static func figure(_ value: Double) -> String { PlanText.number(value, 1) }
}
