import CommandLineSupport
import Courses
import Reports
import Simulation
import SystemCalls
import TrackerCore
import Wording

/// What a basecamp needs for the race that is sent to it, beside the captures: the course, with the
/// hours at which its places open and close by this machine's clock, and the table of the teams.
struct TrainingFiles {
  let course: String
  let teams: String

  init(_ race: RehearsedRace, on course: MappedCourse, _ clock: RaceClock) {
    self.course =
      Self.course(course, from: race.begin + RaceClock.beforeStart, clock).json + "\n"
    // Numbers that nobody has.
    teams =
      "team,number,phone,public\n"
      + race.teams.enumerated().map { index, team in
        "\(team.name),\(team.number),+34 600 000 \(Self.three(index + 1)),yes\n"
      }.joined()
  }

  private static func three(_ number: Int) -> String {
    String("\(1000 + number)".suffix(3))
  }

  /// Writes `course.geojson` and `teams.csv`.
  ///
  /// - Parameter folder: is made, if it does not exist.
  func write(to folder: String) throws {
    do throws(SystemError) { try makeFolder(folder, mode: 0o777) } catch {
      guard error.code == Errno.exists else {
        throw UsageError("--files \(folder): \(error.reason); check the path")
      }
    }
    for (name, text) in [("course.geojson", course), ("teams.csv", teams)] {
      let file = try OutputFile(path: "\(folder)/\(name)")
      try file.write(Array(text.utf8))
      try file.finish()
    }
  }

  /// - Parameter start: of the first teams; the room misses those of which nothing comes after it.
  private static func course(
    _ course: MappedCourse, from start: UTC, _ clock: RaceClock
  ) -> Figure {
    func point(_ position: Coordinate) -> Figure {
      .list([position.longitude, position.latitude].map { .real(Double($0) / 1e7, decimals: 7) })
    }
    func feature(_ kind: String, _ coordinates: Figure, _ properties: [Figure.Member]) -> Figure {
      .object([
        .init("type", .text("Feature")), .init("properties", .object(properties)),
        .init(
          "geometry", .object([.init("type", .text(kind)), .init("coordinates", coordinates)])),
      ])
    }
    let line = feature(
      "LineString", .list(course.points.map { point($0.position) }),
      [.init("name", .text(course.name))])
    let places = course.places.map { place in
      let opens = place.place.opens ?? (place.place.kind == .start ? start : nil)
      let hours = [("opens", opens), ("closes", place.place.closes)]
        .compactMap { name, hour in
          hour.map { Figure.Member(name, PassageTable.date(clock.date($0))) }
        }
      return feature(
        "Point", point(place.place.position),
        [
          .init("name", .text(place.name)), .init("kind", .text("\(place.place.kind)")),
          .init("radius", .integer(place.place.radiusMetres)),
        ] + hours)
    }
    return .object([
      .init("type", .text("FeatureCollection")), .init("features", .list([line] + places)),
    ])
  }
}
