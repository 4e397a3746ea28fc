import Courses
import Reports
import TrackerCore

@testable import Simulation
@testable import bench

/// A race over the built-in course, as the trackers' captures tell of it.
enum RaceFixture {
  static let start = UTC(milliseconds: 1_776_499_200_000)
  private static let line = Course.olotToTheSea

  /// The built-in course as a file: the towns are checkpoints, Girona closes after 16 h.
  static let geoJSON = line.geoJSON(
    names: ("Carrilet", "Olot", "Sant Feliu de Guíxols"),
    closes: ["Girona": "2026-04-19T00:00:00Z"])

  static let course = try! MappedCourse(Array(geoJSON.utf8))

  static func device(_ number: Int) -> UniqueID {
    UniqueID(high: 0x0000_4567_89AB_4000 | UInt64(number) << 48, low: 0x8FED_CBA9_8765_4321)
  }

  /// A seeded walk of the second model, or of `synth`.
  static func walk(_ seed: Int, isSynth: Bool = false) -> WalkLog {
    if isSynth { return ArrivalStudy.walk(.usual, seed: UInt64(seed), course: line) }
    let place = line.places[0]
    return Hike().walk(seed: UInt64(seed), start: start, course: line, near: place)
  }

  /// What a tracker has of a walk: a capture in the start area, then one for each report.
  ///
  /// - Parameter aside: metres to the north for a capture so many metres along.
  static func captures(
    _ log: WalkLog, device number: Int, team: String, aside: (Int32) -> Int64 = { _ in 0 }
  ) -> [ExportedCapture] {
    var segment = 0
    var reports = [WalkLog.Report(utc: start, metres: 0, checkpoints: 0)] + log.reports
    // A team that stopped on the way does not come here.
    if let finish = log.arrivals.last, let last = reports.last, last.metres > 95_000 {
      let end = WalkLog.Report(
        utc: finish + .minutes(5), metres: Int32(line.length), checkpoints: last.checkpoints)
      reports.append(end)
    }
    return reports.enumerated().map { index, report in
      if Double(report.metres) < line.distances[segment] { segment = 0 }
      let point = line.point(at: Double(report.metres), segment: &segment)
      let north = aside(report.metres) * 1_000_000_000 / 11_119_508
      var capture = Capture(
        sequence: UInt32(index + 1), utc: report.utc, isTimeTrusted: true,
        position: Coordinate(
          latitude: Int32(point.latitude * 1e7) + Int32(north),
          longitude: Int32(point.longitude * 1e7)),
        team: InlineText(Array(team.utf8).span), trigger: .interval)
      capture.accuracyMetres = 8
      return ExportedCapture(capture, device: device(number), state: .acknowledged)
    }
  }

  static func source(
    _ number: Int, team: String? = nil, isSynth: Bool = false
  ) -> PassageTable.Source {
    let captures = captures(
      walk(number, isSynth: isSynth), device: number, team: team ?? "Team \(number)")
    return PassageTable.Source(name: "\(number).csv", captures: captures)
  }

  static func plan(_ text: String) throws -> CoursePlan {
    try CoursePlan(try Timetable(Array(text.utf8)), on: course)
  }

  static func table(
    _ sources: [PassageTable.Source], plan: CoursePlan? = nil, at now: UTC? = nil
  ) -> PassageTable {
    PassageTable(of: sources, on: course, plan: plan, at: now)
  }
}
