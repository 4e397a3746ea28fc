import TrackerCore

extension MappedCourse {
  /// The points of a file at most: a walk of 55 h, recorded each second.
  public static let readPointLimit = 200_000
  /// The places of a file at most, those far from the line included: each is looked for along it.
  public static let readPlaceLimit = 1000
  /// How many doubts about a file are reported; the rest are counted.
  static let doubtLimit = 20
  /// Metres; lines that are no further apart are one, and a place may be that far from the line.
  static let reach = 500.0
  /// Metres; a line that has been further away by that much comes by another time.
  static let excursion = 60.0
  /// Metres; a point further than this from the previous one is a mistake in the file.
  static let longestStep = 100_000.0

  /// Reads GeoJSON or GPX, as `CourseFile` says.
  ///
  /// - Throws: in one line, without the file's name.
  public init(_ bytes: [UInt8]) throws(CourseProblem) { try self.init(CourseFile(bytes)) }

  public init(_ file: CourseFile) throws(CourseProblem) {
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
    if doubts.count > Self.doubtLimit {
      let rest = doubts.count - Self.doubtLimit
      doubts = doubts.prefix(Self.doubtLimit) + ["\(rest) more like these"]
    }
  }

  /// The lines one after the other without repeated points, and each point's distance in metres.
  private static func line(
    _ lines: [[GroundPoint]]
  ) throws(CourseProblem) -> (points: [GroundPoint], distances: [Double]) {
    var (points, distances): ([GroundPoint], [Double]) = ([], [])
    for (index, line) in lines.enumerated() {
      if let last = points.last, let first = line.first, last.distance(to: first) > reach {
        throw CourseProblem(
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
        guard step <= longestStep else {
          throw CourseProblem(
            "a gap of more than 100 km after km \(Int(along - step) / 1000): fix the line")
        }
        guard along <= Double(Bounds.courseKilometres) * 1000 else {
          throw CourseProblem("longer than 2000 km: give one stage of it")
        }
        points.append(point)
        distances.append(along)
        guard points.count <= readPointLimit else {
          throw CourseProblem("more than \(readPointLimit) points: simplify the line")
        }
      }
    }
    guard let length = distances.last, length >= 10 else {
      throw CourseProblem("the line is shorter than 10 m: give one to walk on")
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
  private mutating func place(_ read: [CourseFile.Place]) throws(CourseProblem) {
    guard read.count <= Self.readPlaceLimit else {
      throw CourseProblem(
        "\(read.count) named points: give the course's own places, \(Bounds.coursePlaces) at most")
    }
    var before: Int32 = -1
    for (index, place) in read.enumerated() {
      let name = place.name ?? "\(index + 1)"
      guard let spot = spot(of: place, after: before) else {
        doubts.append(
          "\(printable(name)): further than \(Int(Self.reach)) m from the line: left out")
        continue
      }
      guard places.count < Int(Bounds.coursePlaces) else {
        throw CourseProblem("more than \(Bounds.coursePlaces) places: leave some out")
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
  private mutating func checkHours() throws(CourseProblem) {
    var latest: (name: String, opens: UTC)?
    for place in places {
      let (name, opens, closes) = (printable(place.name), place.place.opens, place.place.closes)
      if let opens, let closes, closes <= opens {
        throw CourseProblem("\(name): closes before it opens: fix one of the two times")
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
    let reach = Int32(Self.reach * 1000)
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
      if metres <= Self.reach {
        let spot = Spot(along: foot.along, metres: metres)
        if let last = spots.last, furthest < last.metres + Self.excursion {
          if metres < last.metres { spots[spots.count - 1] = spot }
        } else if metres < furthest - Self.excursion || furthest == .infinity {
          spots.append(spot)
          furthest = metres
        }
      }
      furthest = max(furthest, Double(place.distanceMillimetres(to: point.position)) / 1000)
    }
    return spots
  }
}
