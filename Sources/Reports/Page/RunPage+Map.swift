import TrackerCore
import Wording

// The course as a map.
extension RunPage {
  private static let width = 720.0
  private static let margin = 36.0
  private static let heights = 220.0...560.0

  /// Converts positions to places on the map, in an equirectangular projection.
  private struct Projection {
    var height = 0.0
    var unitsPerDegree = 0.0
    private let origin: Coordinate
    private let shrink: Double
    private var left = 0.0
    private var top = 0.0

    /// - Parameter positions: at least one.
    init(_ positions: [Coordinate]) {
      origin = positions[0]
      let latitudes = positions.map { Double($0.latitude) / 1e7 }
      let low = latitudes.min() ?? 0
      let high = latitudes.max() ?? 0
      shrink = Self.cosine(degrees: (low + high) / 2)
      let easts = positions.map { [origin] in Self.east(of: $0, from: origin) }
      let (west, east) = (easts.min() ?? 0, easts.max() ?? 0)
      // A team that stands still is drawn on a map of some 200 m.
      let across = max((east - west) * shrink, 0.002)
      let down = max(high - low, 0.002)
      let room = RunPage.width - 2 * RunPage.margin
      height = min(
        max(room * down / across, RunPage.heights.lowerBound), RunPage.heights.upperBound)
      unitsPerDegree = min(room / across, height / down)
      left = RunPage.width / 2 - (west + east) / 2 * shrink * unitsPerDegree
      top = RunPage.margin + height / 2 + (low + high) / 2 * unitsPerDegree
      height += 2 * RunPage.margin
    }

    func x(_ position: Coordinate) -> Double {
      left + Self.east(of: position, from: origin) * shrink * unitsPerDegree
    }

    func y(_ position: Coordinate) -> Double {
      top - Double(position.latitude) / 1e7 * unitsPerDegree
    }

    /// Degrees of longitude from `origin` by the shorter way, so that a course may cross the
    /// antimeridian.
    private static func east(of position: Coordinate, from origin: Coordinate) -> Double {
      let turn = 3_600_000_000.0
      var east = Double(position.longitude) - Double(origin.longitude)
      if east > turn / 2 { east -= turn } else if east < -turn / 2 { east += turn }
      return east / 1e7
    }

    /// By Bhāskara's formula (7th century), off by 0.002 at most; a map at a pole is not drawn
    /// infinitely wide.
    private static func cosine(degrees: Double) -> Double {
      let square = degrees * degrees
      return max(0.05, (32_400 - 4 * square) / (32_400 + square))
    }
  }

  private var way: [(at: Instant, position: Coordinate)] {
    let seen = facts.history.looks.compactMap { look in look.position.map { (look.at, $0) } }
    return (seen + facts.history.marks.map { ($0.at, $0.position) }).sorted { $0.0 < $1.0 }
  }

  /// Those next to the way: one far away, as devices export all they know, would make it a dot.
  private var checkpoints: [PageFacts.Place] {
    let way = way.map(\.position)
    guard !way.isEmpty else { return facts.checkpoints }
    let map = Projection(way)
    return facts.checkpoints.filter {
      (-Self.width...2 * Self.width).contains(map.x($0.position))
        && (-map.height...2 * map.height).contains(map.y($0.position))
    }
  }

  var course: String {
    guard let map = map("id=\"map\" tabindex=\"0\"") else {
      return "<section>" + heading(.course) + Markup.element("p", say(.noCourse)) + "</section>\n"
    }
    return "<section>" + heading(.course) + "<div class=\"map\">\(map)"
      + "<div id=\"shown\" aria-live=\"polite\"><p class=\"note\">"
      + Markup.escaped(say(.mapHint)) + "</p></div></div>\n" + slider + legend() + "</section>\n"
  }

  /// `nil` if there is no position.
  ///
  /// - Parameter attributes: of its element.
  func map(_ attributes: String) -> String? {
    let history = facts.history
    let line = way
    let checkpoints = checkpoints
    let positions = line.map(\.position) + checkpoints.map(\.position)
    guard !positions.isEmpty else { return nil }
    let map = Projection(positions)
    func place(_ position: Coordinate) -> String {
      Markup.number(map.x(position), 1) + " " + Markup.number(map.y(position), 1)
    }
    func path(_ points: [Coordinate], _ style: String) -> String {
      guard points.count > 1 else { return "" }
      return "<path class=\"\(style)\" d=\"M\(points.map(place).joined(separator: "L"))\"/>\n"
    }
    var drawing = path(line.map(\.1), "way")
    for hole in facts.holes {
      let part = line.filter { hole.from <= $0.0 && $0.0 < hole.to ?? .distantFuture }
      drawing += path(part.map(\.1), "hole")
    }
    for checkpoint in checkpoints {
      drawing +=
        "<g transform=\"translate(\(place(checkpoint.position)))\"><path class=\"cp\" "
        + "d=\"M0 0V-16L11-12L0-8\"/>"
        + Markup.element("text", checkpoint.name, "x=\"13\" y=\"-9\"")
        + "</g>\n"
    }
    if let first = line.first, let last = line.last {
      for (phrase, end) in [(PagePhrase.start, first.1), (.finish, last.1)] {
        let isRight = map.x(end) > Self.width * 0.75
        drawing +=
          "<g transform=\"translate(\(place(end)))\"><circle class=\"end\" r=\"9\"/>"
          + Markup.element(
            "text", say(phrase),
            "x=\"\(isRight ? -13 : 13)\" y=\"5\"\(isRight ? " text-anchor=\"end\"" : "")")
          + "</g>\n"
      }
    }
    for (index, mark) in history.marks.enumerated() {
      let shape = mark.deliveredAt != nil ? "s" : mark.isSetAside ? "x" : "p"
      drawing +=
        "<g transform=\"translate(\(place(mark.position)))\"><use href=\"#\(shape)\" "
        + "data-i=\"\(index)\"/></g>\n"
    }
    drawing += scaleBar(map)
    let label = say(
      .mapLabel, lines.number("captures.taken"), lines.number("captures.acknowledged"),
      lines.number("captures.pending"), lines.number("captures.set_aside"))
    return "<svg \(attributes) role=\"img\" aria-label=\"\(Markup.escaped(label))\" "
      + "viewBox=\"0 0 \(Int(Self.width)) \(Markup.number(map.height, 0))\">\n\(Self.shapes)"
      + drawing + "</svg>"
  }

  /// The marks of captures: each state has its own shape.
  private static let shapes = """
    <defs><circle id="s" r="4"/><path id="p" d="M0-7L7 0L0 7L-7 0Z"/><path id="x" \
    d="M-5-5H5V5H-5ZM-5-5L5 5M5-5L-5 5"/></defs>

    """

  private func scaleBar(_ map: Projection) -> String {
    let metresPerUnit = 111_320 / map.unitsPerDegree
    let metres = Markup.step(to: metresPerUnit * 200 * 5)
    let length = metres / metresPerUnit
    let text = metres < 1000 ? "\(Int(metres)) m" : "\(Int(metres / 1000)) km"
    let y = map.height - 14
    return "<g class=\"scale\"><path d=\"M16 \(Markup.number(y - 5, 1))v5h"
      + "\(Markup.number(length, 1))v-5\"/>"
      + Markup.element(
        "text", "\(text) · \(say(.north)) ↑",
        "x=\"\(Markup.number(22 + length, 1))\" y=\"\(Markup.number(y, 1))\"") + "</g>\n"
  }

  /// Shows the map as it was at a time. Only the script makes it work, and visible.
  private var slider: String {
    guard !facts.history.marks.isEmpty else { return "" }
    let base = scale.startDate.map {
      $0.milliseconds &+ facts.zone.offsetSeconds($0) &* 1000
    }
    return "<label id=\"when\" hidden><span>\(Markup.escaped(say(.moment)))</span> "
      + "<output></output><input type=\"range\" min=\"0\" max=\"100\" step=\"any\" value=\"100\" "
      + "data-end=\"\(facts.end.milliseconds)\"\(base.map { " data-base=\"\($0)\"" } ?? "")>"
      + "</label>\n"
  }

  func legend() -> String {
    var entries: [(String, PagePhrase)] = [
      ("<use href=\"#s\"/>", .sent), ("<use href=\"#p\"/>", .pending),
      ("<use href=\"#x\"/>", .setAside),
    ]
    if !facts.holes.isEmpty { entries.append(("<path class=\"hole\" d=\"M-9 0H9\"/>", .hole)) }
    if !checkpoints.isEmpty {
      entries.append(("<path class=\"cp\" d=\"M-4 9V-8L8-4L-4 0\"/>", .checkpoint))
    }
    return "<ul class=\"legend\">"
      + entries.map { drawing, phrase in
        "<li><svg class=\"sign\" viewBox=\"-10 -10 20 20\" aria-hidden=\"true\">\(drawing)</svg>"
          + "\(Markup.escaped(say(phrase)))</li>"
      }.joined() + "</ul>\n"
  }
}
