import CommandLineSupport
import Statistics
import TrackerCore

/// `tracker-sim stats FILE`: distance, times, speeds and climb of a walk, and its marks.
enum Stats {
  static let usage = """
    tracker-sim stats shows distance, times, speeds, altitudes and climb of a walk,
    and the same from mark to mark.

    usage:
      tracker-sim stats FILE [--course FILE] [--every METRES] [--json]
                             [--language CODE]

    FILE is what a receiver sent (NMEA 0183, a recording), a GPX track, or a file
    of trackerctl export (CSV or GeoJSON); - is standard input. Of an export with
    several trackers each has its figures.

      --every METRES    from mark to mark, 50 to 1000000         [1000]
      --course FILE     GeoJSON or GPX: the distance along it, too, and its marks
                        and places; of captures minutes apart, too
      --json            print the figures as JSON
      --language CODE   ca, es, en or fr  [of the environment]

    Positions count once they are 20 m, and further than their accuracy, from the
    last one that did, so that noise at rest is no distance; a gap of 15 min and
    more counts as a straight line. Below 1 km/h it is a rest. Climbs are counted
    where the altitude, averaged over 200 m, turns by 10 m or more.

    exit code: 0; 2 wrong use or unreadable input.

    """

  private struct Options {
    var path = ""
    var every = StatisticsBounds.usualMarksEvery
    var course: String?
    var isJSON = false
    var language: Language?
    var wantsHelp = false

    init(_ words: [String]) throws {
      var reader = ArgumentReader(words)
      while let word = reader.next() {
        switch word {
        case "--help", "-h": wantsHelp = true
        case "--every": every = try reader.number(StatisticsBounds.marksEvery)
        case "--course": course = try reader.value("a file")
        case "--json": isJSON = true
        case "--language": language = try reader.language()
        case _ where word.hasPrefix("-") && word != "-":
          throw UsageError("unknown option '\(word)'; see tracker-sim stats --help")
        case _ where !path.isEmpty:
          throw UsageError("'\(word)' is a second file; give one at a time")
        default: path = word
        }
      }
      if path.isEmpty && !wantsHelp {
        throw UsageError("give a file: NMEA, GPX, or one of trackerctl export")
      }
    }
  }

  static func run(_ words: [String]) -> Int32 {
    complaining(command: "tracker-sim stats") {
      let options = try Options(words)
      if options.wantsHelp { return try say(usage) }
      let tracks = try WalkFile.tracks(in: options.path)
      let language = Language.chosen(options.language)
      let course = try options.course.map { path throws in try WalkFile.course(in: path) }
      let all = tracks.map {
        ($0.name, SessionStatistics($0.points, every: options.every, on: course))
      }
      if options.isJSON { return try say(StatisticsText.json(of: all)) }
      return try say(StatisticsText.text(of: all, in: language))
    }
  }
}
