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

  /// More rows than a course has places, each visited some times.
  private static let mostVisits = 200

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
    for passage in course.passages.prefix(Self.mostVisits) {
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
