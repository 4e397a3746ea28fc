import Statistics
import TrackerCore
import Wording

// The course that a run was to follow, and its places.
extension RunPage {
  /// Named places next to the way: one far away, as devices export all they know, would make it a
  /// dot.
  func near(_ way: [WayPoint]) -> (checkpoints: [PageFacts.Place], places: [PageFacts.Course.Place])
  {
    let places = facts.course?.places ?? []
    guard !way.isEmpty else { return (facts.checkpoints, places) }
    let map = MapProjection(way.map(\.position))
    return (
      facts.checkpoints.filter { map.isNear($0.position) },
      places.filter { map.isNear($0.place.position) }
    )
  }

  /// The line, and the places as the circles in which somebody is at them.
  func drawing(_ places: [PageFacts.Course.Place], on map: MapProjection, _ labels: inout MapLabels)
    -> String
  {
    var text = ""
    for place in places {
      let (x, y) = (map.x(place.place.position), map.y(place.place.position))
      let radius = max(6, min(400, place.radiusMetres / map.metresPerUnit))
      text +=
        "<g transform=\"translate(\(Markup.number(x, 1)) \(Markup.number(y, 1)))\">"
        + "<circle class=\"at\" r=\"\(Markup.number(radius, 1))\"/>"
        + Markup.element("title", "\(place.place.name), \(kilometres(place))")
        + labels.label(place.place.name, x: x, y: y, away: max(radius, 9) + 4) + "</g>\n"
    }
    return text
  }

  private func kilometres(_ place: PageFacts.Course.Place) -> String {
    "km " + Quantity.decimal(place.alongMetres / 1000, 1, in: language)
  }

  // MARK: Table

  private struct Visit {
    var entered: Instant?
    var left: Instant?
    var note = ""
  }

  /// When it was at which place; empty without a course.
  var placeTable: String {
    guard let course = facts.course, !course.places.isEmpty else { return "" }
    let visits = visits(course)
    var rows: [[String]] = []
    for (index, place) in course.places.enumerated() {
      for visit in visits[index].isEmpty ? [Visit()] : visits[index] {
        rows.append([
          place.place.name, Quantity.decimal(place.alongMetres / 1000, 1, in: language),
          visit.entered.map(scale.text) ?? "-", visit.left.map(scale.text) ?? "-", visit.note,
        ])
      }
    }
    let head = [
      say(.place), "km", lines.phrase(PlacePhrase.entered), lines.phrase(PlacePhrase.left), "",
    ]
    return Markup.element("h3", say(.places)) + Markup.openTable(head, rows, id: "places")
  }

  private func visits(_ course: PageFacts.Course) -> [[Visit]] {
    var visits: [[Visit]] = Array(repeating: [], count: course.places.count)
    for passage in course.passages.prefix(ReportBounds.placeVisits) {
      let place = Int(passage.place)
      guard visits.indices.contains(place) else { continue }
      switch passage.kind {
      case .entered: visits[place].append(Visit(entered: passage.at))
      case .left:
        if let last = visits[place].indices.last, visits[place][last].left == nil {
          visits[place][last].left = passage.at
        } else {
          visits[place].append(Visit(left: passage.at))
        }
      case .inferred, .missed:
        let kind = lines.phrase(PlacePhrase(passage.kind))
        visits[place].append(
          Visit(
            note: passage.kind == .missed
              ? kind : kind + language.colon + scale.text(passage.at)))
      }
    }
    return visits
  }
}

/// The names on a map, as far as they do not cover each other.
struct MapLabels {
  private typealias Box = (left: Double, top: Double, right: Double, bottom: Double)

  private let height: Double
  /// Where the way is, which names should not hide.
  private let way: [(x: Double, y: Double)]
  /// Those of text as large as in a wide window, and as in a narrow one.
  private var taken: [[Box]] = [[], []]
  /// Units of a line of text; `PageShell` has the same.
  private static let sizes = [13.0, 25.0]

  init(height: Double, way: [(x: Double, y: Double)]) {
    self.height = height
    self.way = way
  }

  /// The text beside a place, on that side of it where it hides least of the way, by its anchor;
  /// empty if there is no room. Where only small text has room it is shown in wide windows only.
  mutating func label(_ name: String, x: Double, y: Double, away: Double) -> String {
    var best: (anchor: String, across: Double, rise: Double, boxes: [Box])?
    var least = Int.max
    for anchor in ["start", "end"] {
      for rise in [0.35, -0.8, 1.5] {
        let across = anchor == "start" ? away : -away
        let boxes = Self.sizes.map { size -> Box in
          // Letters are about 0.56 as wide as high.
          let width = Double(name.count) * size * 0.56
          let left = anchor == "start" ? x + across : x + across - width
          let base = y + rise * 13
          return (left, base - size * 0.8, left + width, base + size * 0.2)
        }
        let hidden = way.count { point in boxes.contains { Self.contains($0, point) } }
        guard hidden < least, isFree(boxes[0], 0) else { continue }
        least = hidden
        best = (anchor, across, rise, boxes)
      }
    }
    guard let (anchor, across, rise, boxes) = best else { return "" }
    taken[0].append(boxes[0])
    let isWideOnly = !isFree(boxes[1], 1)
    if !isWideOnly { taken[1].append(boxes[1]) }
    return Markup.element(
      "text", name,
      "x=\"\(Markup.number(across, 1))\" y=\"\(Markup.number(rise * 13, 1))\""
        + (anchor == "end" ? " text-anchor=\"end\"" : "") + (isWideOnly ? " class=\"o\"" : ""))
  }

  private static func contains(_ box: Box, _ point: (x: Double, y: Double)) -> Bool {
    box.left < point.x && point.x < box.right && box.top < point.y && point.y < box.bottom
  }

  private func isFree(_ box: Box, _ size: Int) -> Bool {
    box.left >= 0 && box.right <= MapProjection.width && box.top >= 0 && box.bottom <= height
      && !taken[size].contains {
        box.left < $0.right && $0.left < box.right && box.top < $0.bottom && $0.top < box.bottom
      }
  }
}

/// Where the team was.
struct WayPoint {
  var at: Instant
  var position: Coordinate
  /// Metres; `nil`: not known.
  var altitude: Double?
}

/// The colours of one way or of several, so that they can be compared.
struct WayColours {
  let speed: ColourScale?
  let altitude: ColourScale?

  init(_ ways: [[WayPoint]]) {
    speed = ColourScale(ways.flatMap { RunPage.speeds($0) }, isSpeed: true)
    altitude = ColourScale(ways.flatMap { $0.compactMap(\.altitude) }, isSpeed: false)
  }
}

// The way on the map, coloured by speed or altitude.
extension RunPage {
  /// In the order of time. While a receiver sleeps, looks repeat the last position: it counts once,
  /// at the first time.
  var way: [WayPoint] {
    let seen = facts.history.looks.compactMap { look in
      look.position.map {
        WayPoint(
          at: look.at, position: $0, altitude: look.altitudeMillimetres.map { Double($0) / 1000 })
      }
    }
    let captured = facts.history.marks.map { WayPoint(at: $0.at, position: $0.position) }
    var way: [WayPoint] = []
    for point in (seen + captured).sorted(by: { $0.at < $1.at })
    where point.position != way.last?.position {
      way.append(point)
      if point.altitude == nil, way.count > 1 {
        way[way.count - 1].altitude = way[way.count - 2].altitude
      }
    }
    return way
  }

  /// km/h from each point to the next, as a mean over two minutes, in which a receiver's noise is
  /// small.
  static func speeds(_ way: [WayPoint]) -> [Double] {
    guard way.count > 1 else { return [] }
    return (0..<way.count - 1).map { index in
      var (from, to) = (index, index + 1)
      while way[to].at - way[from].at < .minutes(2), from > 0 || to < way.count - 1 {
        if from > 0 { from -= 1 }
        if to < way.count - 1 { to += 1 }
      }
      let time = max(1, (way[to].at - way[from].at).count)
      let metres = way[from].position.distanceMetres(to: way[to].position)
      return Double(metres) * 3600 / Double(time)
    }
  }

  /// The way in both colourings, of which the page shows one.
  func coloured(_ way: [WayPoint], _ colours: WayColours, on map: MapProjection) -> String {
    guard way.count > 1 else { return "" }
    let places = way.map { (x: map.x($0.position), y: map.y($0.position)) }
    func lines(_ kind: String, _ colour: (Int) -> Int?) -> String {
      var text = "<g class=\"\(kind)\">"
      var last: Int?
      var drawn = places[0]
      for index in 1..<places.count {
        let own = colour(index - 1)
        let (place, before) = (places[index], places[index - 1])
        // Points that cannot be distinguished are drawn once.
        let isNear = abs(place.x - drawn.x) + abs(place.y - drawn.y) < 1.5
        if index > 1, own == last, isNear, index < places.count - 1 { continue }
        if own != last || index == 1 {
          if index > 1 { text += "L" + Self.pair(before) + "\"/>" }
          text += "<path class=\"\(own.map { "k\($0)" } ?? "way")\" d=\"M" + Self.pair(before)
          last = own
        }
        text += "L" + Self.pair(place)
        drawn = place
      }
      return text + "\"/></g>\n"
    }
    let speeds = Self.speeds(way)
    var text = lines("case") { _ in nil }
    if let scale = colours.speed {
      text += lines("v") { scale.colour(scale.index(speeds[$0])) }
    }
    if let scale = colours.altitude {
      text += lines("y") { way[$0].altitude.map { scale.colour(scale.index($0)) } }
    }
    return text
  }

  private static func pair(_ place: (x: Double, y: Double)) -> String {
    Markup.number(place.x, 1) + " " + Markup.number(place.y, 1)
  }

  /// What the colours mean, and the choice between them. It works without a script.
  func colourChoice(_ colours: WayColours) -> String {
    guard let speed = colours.speed else { return "" }
    let names = [StatisticsPhrase.speed, .altitude].map { $0.text(in: language) }
    let ramp = speed.legend(names[0] + ", km/h", kind: "v", in: language)
    guard let altitude = colours.altitude else { return "<div class=\"by\">\(ramp)</div>\n" }
    let choices = zip(names, ["by-speed", "by-altitude"]).enumerated().map { index, choice in
      "<label><input type=\"radio\" name=\"by\" id=\"\(choice.1)\""
        + "\(index == 0 ? " checked" : "")> \(Markup.escaped(choice.0))</label>"
    }
    return "<fieldset class=\"by\">" + Markup.element("legend", say(.colour)) + choices.joined()
      + ramp + altitude.legend(names[1] + ", m", kind: "y", in: language) + "</fieldset>\n"
  }
}
