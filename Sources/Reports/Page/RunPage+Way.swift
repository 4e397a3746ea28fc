import Statistics
import TrackerCore
import Wording

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
