import Courses
import MapTiles
import TrackerCore
import Wording

// The course as a map.
extension RunPage {
  var course: String {
    let colours = WayColours([way])
    guard let map = map("id=\"map\" tabindex=\"0\"", colours) else {
      return "<section>" + heading(.course) + Markup.element("p", say(.noCourse)) + placeTable
        + "</section>\n"
    }
    return "<section>" + heading(.course) + map
      + "<div id=\"shown\" aria-live=\"polite\"><p class=\"note\">"
      + Markup.escaped(say(.mapHint)) + "</p></div>\n" + colourChoice(colours) + slider + legend()
      + placeTable + "</section>\n"
  }

  /// The map with what has to stand below it; `nil` if there is no position.
  ///
  /// - Parameters:
  ///   - attributes: of its element.
  ///   - share: of the bytes that tiles may have in the page.
  func map(_ attributes: String, _ colours: WayColours, share: Int = 1) -> String? {
    let way = way
    let (checkpoints, places) = near(way)
    var positions =
      way.map(\.position) + checkpoints.map(\.position) + places.map(\.place.position)
    if positions.isEmpty { positions = facts.course?.line ?? [] }
    guard !positions.isEmpty else { return nil }
    let map = MapProjection(positions)
    var labels = MapLabels(
      height: map.height, way: way.map { (map.x($0.position), map.y($0.position)) })
    let mosaic = tiles(below: map, share: share)
    var drawing = Self.drawing(mosaic, on: map)
    drawing += path(facts.course?.line ?? [], "line", on: map)
    for hole in facts.holes {
      let part = way.filter { hole.from <= $0.at && $0.at < hole.to ?? .distantFuture }
      drawing += path(part.map(\.position), "hole", on: map)
    }
    drawing += coloured(way, colours, on: map)
    let ends = ends(of: way, on: map, &labels)
    drawing += self.drawing(places, on: map, &labels)
    for checkpoint in checkpoints {
      let (x, y) = (map.x(checkpoint.position), map.y(checkpoint.position))
      drawing +=
        "<g transform=\"translate(\(place(checkpoint.position, on: map)))\"><path class=\"cp\" "
        + "d=\"M0 0V-16L11-12L0-8\"/>" + Markup.element("title", checkpoint.name)
        + labels.label(checkpoint.name, x: x, y: y, away: 13) + "</g>\n"
    }
    let (marks, shown) = marks(on: map)
    drawing += ends + marks + scaleBar(map)
    let label = say(
      .mapLabel, lines.number("captures.taken"), lines.number("captures.acknowledged"),
      lines.number("captures.pending"), lines.number("captures.set_aside"))
    let box = "0 0 \(Int(MapProjection.width)) \(Markup.number(map.height, 0))"
    return "<div class=\"map\"><svg \(attributes) role=\"img\" "
      + "aria-label=\"\(Markup.escaped(label))\" viewBox=\"\(box)\">\n\(Self.shapes)"
      + drawing + "</svg></div>\n" + notes(mosaic, shown, isAlone: share == 1)
  }

  /// Who made the tiles, and how many captures are drawn.
  private func notes(_ mosaic: TileMosaic?, _ shown: Int, isAlone: Bool) -> String {
    var notes: [String] = []
    if let mosaic, !mosaic.tiles.isEmpty, !mosaic.attribution.isEmpty {
      notes.append(say(.tiles, mosaic.attribution))
    }
    let all = facts.history.marks.count
    if shown < all {
      let text = say(.thinned, "\(shown)", "\(all)")
      notes.append(isAlone ? text + " " + say(.haveAll) : text)
    }
    return notes.map { Markup.element("p", $0, "class=\"note\"") }.joined()
  }

  private func place(_ position: Coordinate, on map: MapProjection) -> String {
    Markup.number(map.x(position), 1) + " " + Markup.number(map.y(position), 1)
  }

  private func path(_ points: [Coordinate], _ style: String, on map: MapProjection) -> String {
    guard points.count > 1 else { return "" }
    let places = points.map { place($0, on: map) }
    return "<path class=\"\(style)\" d=\"M\(places.joined(separator: "L"))\"/>\n"
  }

  private func tiles(below map: MapProjection, share: Int) -> TileMosaic? {
    var view = map.view
    view.bytes /= share
    return facts.tiles?(view)
  }

  private static func drawing(_ mosaic: TileMosaic?, on map: MapProjection) -> String {
    guard let mosaic, !mosaic.tiles.isEmpty else { return "" }
    return "<g class=\"tiles\">"
      + mosaic.tiles.map { tile in
        let (x, y, width) = map.place(tile)
        // A little larger, or there would be fine lines between them.
        let side = Markup.number(width + 0.3)
        return "<image x=\"\(Markup.number(x))\" y=\"\(Markup.number(y))\" width=\"\(side)\" "
          + "height=\"\(side)\" href=\"data:\(tile.image.kind.mediaType);base64,"
          + Base64.text(of: tile.image.bytes) + "\"/>\n"
      }.joined() + "</g>\n"
  }

  private func ends(of way: [WayPoint], on map: MapProjection, _ labels: inout MapLabels) -> String
  {
    guard let first = way.first, let last = way.last else { return "" }
    return [(RunPagePhrase.start, first), (.finish, last)].map { phrase, end in
      "<g transform=\"translate(\(place(end.position, on: map)))\"><circle class=\"end\" r=\"9\"/>"
        + labels.label(
          say(phrase), x: map.x(end.position), y: map.y(end.position), away: 13) + "</g>\n"
    }.joined()
  }

  /// - Returns: the number of those that are drawn as dots, too.
  private func marks(on map: MapProjection) -> (drawing: String, shown: Int) {
    let marks = facts.history.marks
    let dots = MapMarks(
      marks.map { (map.x($0.position), map.y($0.position), $0.deliveredAt != nil) })
    func drawing(_ index: Int) -> String {
      let mark = marks[index]
      let shape = mark.deliveredAt != nil ? "s" : mark.isSetAside ? "x" : "p"
      return "<g transform=\"translate(\(place(mark.position, on: map)))\"><use href=\"#\(shape)\" "
        + "data-i=\"\(index)\"\(dots.styles[index])/></g>\n"
    }
    // Those that wait are above the others.
    let order =
      marks.indices.filter { marks[$0].deliveredAt != nil }
      + marks.indices.filter { marks[$0].deliveredAt == nil }
    return (order.map(drawing).joined(), dots.shown)
  }

  /// The marks of captures: each state has its own shape.
  private static let shapes = """
    <defs><circle id="s" r="4"/><path id="p" d="M0-7L7 0L0 7L-7 0Z"/><path id="x" \
    d="M-5-5H5V5H-5ZM-5-5L5 5M5-5L-5 5"/></defs>

    """

  private func scaleBar(_ map: MapProjection) -> String {
    let metres = Markup.step(to: map.metresPerUnit * 200 * 5)
    let length = metres / map.metresPerUnit
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
    var entries: [(String, RunPagePhrase)] = [
      ("<use href=\"#s\"/>", .sent), ("<use href=\"#p\"/>", .pending),
      ("<use href=\"#x\"/>", .setAside),
    ]
    if !facts.holes.isEmpty { entries.append(("<path class=\"hole\" d=\"M-9 0H9\"/>", .hole)) }
    if !near(way).checkpoints.isEmpty {
      entries.append(("<path class=\"cp\" d=\"M-4 9V-8L8-4L-4 0\"/>", .checkpoint))
    }
    if facts.course != nil {
      entries.append(("<path class=\"line\" d=\"M-9 0H9\"/>", .courseLine))
      entries.append(("<circle class=\"at\" r=\"7\"/>", .place))
    }
    return "<ul class=\"legend\">"
      + entries.map { drawing, phrase in
        "<li><svg class=\"sign\" viewBox=\"-10 -10 20 20\" aria-hidden=\"true\">\(drawing)</svg>"
          + "\(Markup.escaped(say(phrase)))</li>"
      }.joined() + "</ul>\n"
  }
}

/// Converts positions to places on a page's map, in Web Mercator, as tiles are.
struct MapProjection {
  static let width = 720.0
  static let margin = 36.0
  private static let heights = 220.0...560.0
  private static let worldMetres = 2 * Double.pi * WebMercator.radiusMetres

  private(set) var height = 0.0
  /// On the ground, in the middle of the map.
  let metresPerUnit: Double
  private let origin: WebMercator
  private var unitsPerMetre = 0.0
  private var left = 0.0
  private var top = 0.0

  /// - Parameter positions: at least one.
  init(_ positions: [Coordinate]) {
    origin = WebMercator(positions[0])
    let latitudes = positions.map { Double($0.latitude) / 1e7 }
    let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    let places = positions.map { WebMercator($0) }
    let easts = places.map { [origin] in Self.east(of: $0, from: origin) }
    let (west, east) = (easts.min() ?? 0, easts.max() ?? 0)
    let (south, north) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
    // A team that stands still is drawn on a map of some 200 m.
    let across = max(east - west, 300)
    let down = max(north - south, 300)
    let room = Self.width - 2 * Self.margin
    height = min(max(room * down / across, Self.heights.lowerBound), Self.heights.upperBound)
    unitsPerMetre = min(room / across, height / down)
    left = Self.width / 2 - (west + east) / 2 * unitsPerMetre
    top = Self.margin + height / 2 + (south + north) / 2 * unitsPerMetre
    height += 2 * Self.margin
    metresPerUnit = max(0.05, cosine(middle * radiansPerDegree)) / unitsPerMetre
  }

  func x(_ position: Coordinate) -> Double {
    left + Self.east(of: WebMercator(position), from: origin) * unitsPerMetre
  }

  func y(_ position: Coordinate) -> Double { top - WebMercator(position).y * unitsPerMetre }

  /// Metres from `origin` by the shorter way, so that a course may cross the antimeridian.
  private static func east(of place: WebMercator, from origin: WebMercator) -> Double {
    let east = place.x - origin.x
    return east > worldMetres / 2
      ? east - worldMetres : east < -worldMetres / 2 ? east + worldMetres : east
  }

  /// Whether it is on the map or as near as its own width or height.
  func isNear(_ position: Coordinate) -> Bool {
    (-Self.width...2 * Self.width).contains(x(position))
      && (-height...2 * height).contains(y(position))
  }

  // MARK: Tiles

  private var unitsPerWorld: Double { unitsPerMetre * Self.worldMetres }
  /// Where the antimeridian west of `origin` and the upper end of the world are.
  private var corner: (x: Double, y: Double) {
    (
      left - origin.x * unitsPerMetre - unitsPerWorld / 2,
      top - unitsPerWorld / 2
    )
  }

  /// The whole picture.
  var view: MapView {
    MapView(
      left: -corner.x / unitsPerWorld, top: -corner.y / unitsPerWorld,
      right: (Self.width - corner.x) / unitsPerWorld,
      bottom: (height - corner.y) / unitsPerWorld, unitsPerWorld: unitsPerWorld)
  }

  /// Upper left corner and width.
  func place(_ tile: TileMosaic.Tile) -> (x: Double, y: Double, width: Double) {
    (
      corner.x + tile.left * unitsPerWorld, corner.y + tile.top * unitsPerWorld,
      tile.width * unitsPerWorld
    )
  }
}

/// Which captures of a map are drawn as dots: on a long way they would cover each other. The others
/// can still be pointed at and reached by key.
struct MapMarks {
  /// The class of each.
  private(set) var styles: [String] = []
  /// Drawn where there is room for all.
  private(set) var shown = 0

  /// Units from one dot to the next, so that the way's colour shows between them: a dot is 8 wide,
  /// and where the window is narrow 14.
  private static let apart = (wide: 18.0, narrow: 32.0)

  /// - Parameter places: of the captures, in their order, each with whether it was sent.
  init(_ places: [(x: Double, y: Double, isSent: Bool)]) {
    let wide = Self.chosen(places, apart: Self.apart.wide)
    let narrow = Self.chosen(places, apart: Self.apart.narrow)
    styles = zip(wide, narrow).map { $0 ? $1 ? "" : " class=\"n\"" : " class=\"d\"" }
    shown = wide.count { $0 }
  }

  /// The first and the last one, then those that were not sent, which are what somebody looks for,
  /// then the others in their order, each if it is far enough from those before.
  private static func chosen(
    _ places: [(x: Double, y: Double, isSent: Bool)], apart: Double
  ) -> [Bool] {
    var isChosen = Array(repeating: false, count: places.count)
    var taken: [[Int]: [Int]] = [:]
    func cell(_ index: Int) -> [Int] {
      [places[index].x, places[index].y].map { Int(($0 / apart).rounded(.down)) }
    }
    func take(_ index: Int) {
      if !isChosen[index] { taken[cell(index), default: []].append(index) }
      isChosen[index] = true
    }
    func isFree(_ index: Int) -> Bool {
      let own = cell(index)
      for row in -1...1 {
        for column in -1...1 {
          for other in taken[[own[0] + column, own[1] + row]] ?? []
          // A capture that waits is not hidden by one that was sent.
          where !places[other].isSent || places[index].isSent {
            let (x, y) = (places[other].x - places[index].x, places[other].y - places[index].y)
            if x * x + y * y < apart * apart { return false }
          }
        }
      }
      return true
    }
    for end in [places.indices.first, places.indices.last] { if let end { take(end) } }
    for index in places.indices where !places[index].isSent && isFree(index) { take(index) }
    for index in places.indices where places[index].isSent && isFree(index) { take(index) }
    return isChosen
  }
}
