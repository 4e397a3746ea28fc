public import TrackerCore

/// A course as the tracker uses it: a bounded number of points and places, on which a position has
/// a distance.
///
/// Distances along it are those of the file's line on the ellipsoid, whatever its simplification
/// leaves out.
public struct MappedCourse: Sendable, Equatable {
  public struct Place: Sendable, Equatable {
    public var name: String
    public var place: CoursePlace

    public init(name: String, place: CoursePlace) {
      self.name = name
      self.place = place
    }
  }

  public var name: String
  /// Of the simplified line, 2...`Bounds.coursePoints`.
  public var points: [CoursePoint]
  /// Millimetres, as many as there are points.
  public var altitudesMillimetres: [Int32]
  /// In the order along the course, at most `Bounds.coursePlaces`.
  public var places: [Place]
  /// How far the file's line is from the simplified one, millimetres.
  public var errorMillimetres: Int32
  /// The points of the file's line.
  public var readPoints: Int
  public var limits = CourseLimits()
  /// From an earlier race.
  public var coverage = CourseCoverage()
  /// What is noteworthy about the file, each in one line.
  public var doubts: [String] = []

  public init(
    name: String, points: [CoursePoint], altitudesMillimetres: [Int32], places: [Place],
    errorMillimetres: Int32, readPoints: Int
  ) {
    self.name = name
    self.points = points
    self.altitudesMillimetres = altitudesMillimetres
    self.places = places
    self.errorMillimetres = errorMillimetres
    self.readPoints = readPoints
  }

  /// The length of the file's line, metres.
  public var lengthMetres: Double { Double(courseLengthMillimetres) / 1000 }

  /// The length of the simplified line, metres.
  var simplifiedLengthMetres: Double {
    zip(points, points.dropFirst()).reduce(0) {
      $0 + GroundPoint($1.0.position).distance(to: GroundPoint($1.1.position))
    }
  }

  /// `20000 points, kept 812, off by at most 3.2 m, length 100.6 km (of those kept 100.4)`
  public var summary: String {
    let length = Self.kilometres(lengthMetres)
    guard points.count < readPoints else { return "\(readPoints) points, length \(length) km" }
    let tenths = (Int(errorMillimetres) + 99) / 100
    return
      "\(readPoints) points, kept \(points.count), off by at most \(tenths / 10).\(tenths % 10)"
      + " m, length \(length) km (of those kept \(Self.kilometres(simplifiedLengthMetres)))"
  }

  private static func kilometres(_ metres: Double) -> String {
    let tenths = Int((metres / 100).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension MappedCourse: CourseMap {
  public var coursePointCount: Int32 { Int32(points.count) }
  public func coursePoint(_ index: Int32) -> CoursePoint { points[Int(index)] }
  public var coursePlaceCount: Int32 { Int32(places.count) }
  public func coursePlace(_ index: Int32) -> CoursePlace { places[Int(index)].place }
  public var courseErrorMetres: Int32 { Int32((Int64(errorMillimetres) + 999) / 1000) }
  public var courseLimits: CourseLimits { limits }
  public var courseCoverage: CourseCoverage { coverage }
}

extension MappedCourse {
  /// Coverage as people copy it from one tracker's status to another's settings: the course's mark,
  /// then a `+` for each part in which the network was reached, a `-` where it was not, and a `.`
  /// where nobody knows.
  public func text(of coverage: CourseCoverage) -> String {
    let symbols = (0..<Int32(CourseCoverage.parts)).map { index in
      switch coverage[index] {
      case .reached: "+"
      case .silent: "-"
      case .unknown: "."
      }
    }
    return mark + symbols.joined()
  }

  private var mark: String {
    let digits = String(courseFingerprint, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits + ":"
  }

  /// Takes what an earlier race has found. Anything else becomes one of the `doubts`.
  public mutating func use(coverage text: String) {
    let symbols = text.utf8.dropFirst(9)
    guard text.utf8.count == 9 + CourseCoverage.parts,
      symbols.allSatisfy({ "+-.".utf8.contains($0) })
    else {
      doubts.append("coverage is not used: copy courseCoverage from status --json as it stands")
      return
    }
    guard text.hasPrefix(mark) else {
      doubts.append("coverage is not used, it is of another course: remove it from the settings")
      return
    }
    for (index, symbol) in zip(Int32(0)..., symbols) where symbol != UInt8(ascii: ".") {
      coverage[index] = symbol == UInt8(ascii: "+") ? .reached : .silent
    }
  }
}

extension GroundPoint {
  public init(_ coordinate: Coordinate) {
    self.init(
      latitude: Double(coordinate.latitude) / 1e7, longitude: Double(coordinate.longitude) / 1e7,
      altitude: 0)
  }
}

extension MappedCourse {
  /// Reads GeoJSON or GPX, as `CourseFile` says.
  ///
  /// - Throws: in one line, without the file's name.
  public init(_ bytes: [UInt8]) throws(CourseError) { try self.init(CourseFile(bytes)) }

  public init(_ file: CourseFile) throws(CourseError) {
    let (line, distances) = try Self.line(file.lines)
    let simple = Simplification(line.map(\.coordinate), atMost: Int(Bounds.coursePoints))
    self.init(
      name: file.name ?? "",
      points: simple.kept.map {
        CoursePoint(
          position: line[$0].coordinate, alongMillimetres: Int32((distances[$0] * 1000).rounded()))
      },
      altitudesMillimetres: simple.kept.map { Int32((line[$0].altitude * 1000).rounded()) },
      places: [], errorMillimetres: Int32(min((simple.errorMetres * 1000).rounded(.up), 1e9)),
      readPoints: line.count)
    doubts = file.places.flatMap(\.doubts)
    try place(file.places)
    if doubts.count > CourseBounds.doubts {
      let rest = doubts.count - CourseBounds.doubts
      doubts = doubts.prefix(CourseBounds.doubts) + ["\(rest) more like these"]
    }
  }

  /// The lines one after the other without repeated points, and each point's distance in metres.
  private static func line(
    _ lines: [[GroundPoint]]
  ) throws(CourseError) -> (points: [GroundPoint], distances: [Double]) {
    var (points, distances): ([GroundPoint], [Double]) = ([], [])
    for (index, line) in lines.enumerated() {
      if let last = points.last, let first = line.first,
        last.distance(to: first) > CourseBounds.reach
      {
        throw CourseError(
          "line \(index + 1) begins \(Int(last.distance(to: first))) m from the end of the one "
            + "before: give the course as one line, or its parts in their order")
      }
      for point in line {
        guard let last = points.last else {
          points.append(point)
          distances.append(0)
          continue
        }
        // A millimetre is the smallest distance that counts.
        let step = last.distance(to: point)
        guard step >= 0.001 else { continue }
        let along = distances[distances.count - 1] + step
        guard step <= CourseBounds.step else {
          throw CourseError(
            "a gap of more than 100 km after km \(Int(along - step) / 1000): fix the line")
        }
        guard along <= Double(Bounds.courseKilometres) * 1000 else {
          throw CourseError("longer than 2000 km: give one stage of it")
        }
        points.append(point)
        distances.append(along)
        guard points.count <= CourseBounds.points else {
          throw CourseError("more than \(CourseBounds.points) points: simplify the line")
        }
      }
    }
    guard let length = distances.last, length >= 10 else {
      throw CourseError("the line is shorter than 10 m: give one to walk on")
    }
    return (points, distances)
  }

  // MARK: Places

  /// A point of the course near a place.
  private struct Spot {
    var along: Int32
    var metres: Double
  }

  /// Puts the places on the course: each where the line is nearest to it, of several such points
  /// the first one after the place before.
  private mutating func place(_ read: [CourseFile.Place]) throws(CourseError) {
    guard read.count <= CourseBounds.places else {
      throw CourseError(
        "\(read.count) named points: give the course's own places, \(Bounds.coursePlaces) at most")
    }
    var before: Int32 = -1
    for (index, place) in read.enumerated() {
      let name = place.name ?? "\(index + 1)"
      guard let spot = spot(of: place, after: before) else {
        doubts.append(
          "\(printable(name)): further than \(Int(CourseBounds.reach)) m from the line: left out")
        continue
      }
      guard places.count < Int(Bounds.coursePlaces) else {
        throw CourseError("more than \(Bounds.coursePlaces) places: leave some out")
      }
      before = max(before, spot.along)
      // The circle reaches the line, or nobody would be seen in it.
      let radius = max(place.radiusMetres ?? 100, spot.metres + 30).rounded(.up)
      places.append(
        Place(
          name: name,
          place: CoursePlace(
            place.kind ?? .checkpoint, at: place.point.coordinate, alongMillimetres: spot.along,
            radiusMetres: Int32(radius), opens: place.opens, closes: place.closes)))
    }
    places = places.enumerated().sorted {
      ($0.element.place.alongMillimetres, $0.offset) < (
        $1.element.place.alongMillimetres, $1.offset
      )
    }.map(\.element)
    nameEnds(read)
    try checkHours()
  }

  /// A place that closes before it opens is a mistake, and one that closes before an earlier one
  /// opens is doubtful: nobody can be at both.
  private mutating func checkHours() throws(CourseError) {
    var latest: (name: String, opens: UTC)?
    for place in places {
      let (name, opens, closes) = (printable(place.name), place.place.opens, place.place.closes)
      if let opens, let closes, closes <= opens {
        throw CourseError("\(name): closes before it opens: fix one of the two times")
      }
      if let latest, let closes, closes < latest.opens {
        doubts.append("\(name): closes before \(latest.name), which comes first, opens: fix one")
      }
      if let opens, latest.map({ opens > $0.opens }) ?? true { latest = (name, opens) }
    }
  }

  /// Without any kinds the place at the line's start is the start, and the one at its end the
  /// finish.
  private mutating func nameEnds(_ read: [CourseFile.Place]) {
    guard read.allSatisfy({ $0.kind == nil }), let first = places.first, let last = places.last
    else { return }
    let reach = Int32(CourseBounds.reach * 1000)
    if first.place.alongMillimetres <= reach { places[0].place.kind = .start }
    if courseLengthMillimetres - last.place.alongMillimetres <= reach, places.count > 1 {
      places[places.count - 1].place.kind = .finish
    }
  }

  private func spot(of place: CourseFile.Place, after before: Int32) -> Spot? {
    var spots = spots(near: place.point.coordinate)
    if let distance = place.distance {
      let along = Int32(min(distance * 1000, Double(Int32.max)))
      spots.sort { abs(Int64($0.along) - Int64(along)) < abs(Int64($1.along) - Int64(along)) }
      return spots.first
    }
    if place.kind == .start { return spots.first }
    if place.kind == .finish { return spots.last }
    guard let nearest = spots.min(by: { $0.metres < $1.metres }) else { return nil }
    let near = spots.filter { $0.metres <= nearest.metres + 30 }
    return near.first { $0.along > before } ?? nearest
  }

  /// Where the line comes near a place, in its order: the nearest point each time. In between the
  /// line has been away from it.
  private func spots(near place: Coordinate) -> [Spot] {
    var line = CourseLine(around: place)
    line.begin(at: points[0])
    var spots: [Spot] = []
    /// The furthest away since the last spot, metres.
    var furthest = Double.infinity
    for point in points.dropFirst() {
      let foot = line.advance(to: point)
      let metres =
        foot.away == CourseLine.nowhere ? .infinity : Double(foot.away).squareRoot() / 100
      if metres <= CourseBounds.reach {
        let spot = Spot(along: foot.along, metres: metres)
        if let last = spots.last, furthest < last.metres + CourseBounds.excursion {
          if metres < last.metres { spots[spots.count - 1] = spot }
        } else if metres < furthest - CourseBounds.excursion || furthest == .infinity {
          spots.append(spot)
          furthest = metres
        }
      }
      furthest = max(furthest, Double(place.distanceMillimetres(to: point.position)) / 1000)
    }
    return spots
  }
}

/// A line with fewer points (after Douglas and Peucker, "Algorithms for the reduction of the number
/// of points required to represent a digitized line or its caricature", 1973): of the pieces
/// between two kept points the one that is furthest from its line is divided there, until all are
/// near enough or there are as many points as allowed.
struct Simplification {
  /// The indices of the points that are kept, ascending; the first and the last among them.
  private(set) var kept: [Int] = []
  /// How far the furthest point is from the line that is left, metres.
  private(set) var errorMetres = 0.0

  private struct Piece {
    var first: Int
    var last: Int
    var furthest: Int
    /// Square centimetres.
    var away: Int64
  }

  init(_ points: [Coordinate], atMost limit: Int) {
    guard points.count > 2 else {
      kept = Array(points.indices)
      return
    }
    var pieces = [Self.piece(points, 0, points.count - 1)]
    while pieces.count + 1 < max(2, limit) {
      var worst = 0
      for index in pieces.indices where pieces[index].away > pieces[worst].away { worst = index }
      let piece = pieces[worst]
      guard piece.away > CourseBounds.fine * CourseBounds.fine else { break }
      pieces[worst] = Self.piece(points, piece.first, piece.furthest)
      pieces.append(Self.piece(points, piece.furthest, piece.last))
    }
    kept = ([0] + pieces.map(\.last)).sorted()
    let worst = pieces.reduce(0) { max($0, $1.away) }
    errorMetres = Double(worst).squareRoot() / 100
  }

  private static func piece(_ points: [Coordinate], _ first: Int, _ last: Int) -> Piece {
    var piece = Piece(first: first, last: last, furthest: first, away: 0)
    let start = CoursePoint(position: points[first], alongMillimetres: 0)
    let end = CoursePoint(position: points[last], alongMillimetres: 1)
    for index in first + 1..<max(first + 1, last) {
      var line = CourseLine(around: points[index])
      line.begin(at: start)
      let away = line.advance(to: end).away
      // Of a piece that is too long to measure the middle is as good as any.
      if away == CourseLine.nowhere {
        return Piece(first: first, last: last, furthest: (first + last) / 2, away: away)
      }
      if away > piece.away { (piece.furthest, piece.away) = (index, away) }
    }
    return piece
  }
}

/// A course for a tracker, which reads it some twenty times with each position: of a `MappedCourse`
/// each reading would count a reference to each of its lists and names.
public final class CourseTable: Sendable {
  let course: MappedCourse
  /// Valid as long as the table.
  public let view: CourseView

  public init(_ course: MappedCourse) {
    self.course = course
    view = CourseView(course)
  }

  deinit { view.deallocate() }
}

/// The points and places of a `CourseTable`, which are read without counting a reference to it.
public struct CourseView: @unchecked Sendable {
  private let points: UnsafeMutableBufferPointer<CoursePoint>
  private let places: UnsafeMutableBufferPointer<CoursePlace>
  fileprivate let errorMetres: Int32
  fileprivate let limits: CourseLimits
  fileprivate let coverage: CourseCoverage

  fileprivate init(_ course: MappedCourse) {
    points = .allocate(capacity: course.points.count)
    _ = points.initialize(from: course.points)
    places = .allocate(capacity: course.places.count)
    _ = places.initialize(from: course.places.map(\.place))
    errorMetres = course.courseErrorMetres
    limits = course.limits
    coverage = course.coverage
  }

  fileprivate func deallocate() {
    points.deallocate()
    places.deallocate()
  }

  fileprivate var pointCount: Int32 { Int32(points.count) }
  fileprivate var placeCount: Int32 { Int32(places.count) }

  fileprivate func point(_ index: Int32) -> CoursePoint {
    precondition(index >= 0 && Int(index) < points.count, "the core stays within the course")
    return points[Int(index)]
  }
  fileprivate func place(_ index: Int32) -> CoursePlace {
    precondition(index >= 0 && Int(index) < places.count, "the core stays within the course")
    return places[Int(index)]
  }
}

/// Somebody who may have a course.
public protocol CourseHolder: CourseMap, ~Copyable {
  var courseTable: CourseTable? { get }
  /// That of `courseTable`.
  var courseView: CourseView? { get }
}

extension CourseHolder where Self: ~Copyable {
  public var course: MappedCourse? { courseTable?.course }

  public var coursePointCount: Int32 { courseView?.pointCount ?? 0 }
  public func coursePoint(_ index: Int32) -> CoursePoint {
    courseView?.point(index)
      ?? CoursePoint(position: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var coursePlaceCount: Int32 { courseView?.placeCount ?? 0 }
  public func coursePlace(_ index: Int32) -> CoursePlace {
    courseView?.place(index)
      ?? CoursePlace(.checkpoint, at: Coordinate(latitude: 0, longitude: 0), alongMillimetres: 0)
  }
  public var courseErrorMetres: Int32 { courseView?.errorMetres ?? 0 }
  public var courseLimits: CourseLimits { courseView?.limits ?? CourseLimits() }
  public var courseCoverage: CourseCoverage { courseView?.coverage ?? CourseCoverage() }
}
