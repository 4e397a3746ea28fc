import CommandLineSupport
import Statistics
import TrackerCore

/// `tracker-sim stats FILE`: distance, times, speeds and climb of a walk, and its marks.
enum Stats {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let tracks = try WalkFile.tracks(in: arguments.operands[0])
    let course = try arguments.text(.course).map { path throws in try WalkFile.course(in: path) }
    let every = arguments.number(.every) ?? StatisticsBounds.usualMarksEvery
    let all = tracks.map { ($0.name, SessionStatistics($0.points, every: every, on: course)) }
    if arguments.has(.json) { return try say(StatisticsText.json(of: all)) }
    return try say(StatisticsText.text(of: all, in: .chosen(arguments.language)))
  }
}
