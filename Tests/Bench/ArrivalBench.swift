import CommandLineSupport
import Simulation
import TrackerCore

/// `bench --arrivals N`: how honest the forecast of arrivals is, over N seeded walks of
/// each kind of team.
enum ArrivalBench {
  static func run(_ count: Int) throws {
    var text = "\(counted(count, "walk")) of 100 km of each kind of team, reported every 10 min\n\n"
    text += "teams       to      after  inside the  median   median error  the mean pace's\n"
    text += "                    km     80 % band   width    of arrival    error  within 10 %\n"
    try printOut(text)
    var all: [ArrivalStudy.Trial] = []
    for population in ArrivalStudy.Population.allCases {
      let trials = try Workers.run(count, threads: nil) { number in
        let log = ArrivalStudy.walk(population, seed: UInt64(number) + 1, course: .olotToTheSea)
        return ArrivalStudy.trials(of: log, course: .olotToTheSea)
      }.flatMap(\.self)
      try printOut(report(population, trials))
      all += trials
    }
    try printOut(summary(all))
  }

  private static func report(
    _ population: ArrivalStudy.Population, _ trials: [ArrivalStudy.Trial]
  ) -> String {
    var text = ""
    for isFinish in [false, true] {
      for (index, place) in ArrivalStudy.places.enumerated() {
        let tally = ArrivalTally(trials.filter { $0.place == index && $0.isFinish == isFinish })
        text += line(
          population.rawValue, isFinish ? "finish" : "next", "\(place / 1000)", tally)
      }
    }
    return text + line(population.rawValue, "all", "", ArrivalTally(trials)) + "\n"
  }

  private static func summary(_ trials: [ArrivalStudy.Trial]) -> String {
    line("all", "next", "", ArrivalTally(trials.filter { !$0.isFinish }))
      + line("all", "finish", "", ArrivalTally(trials.filter(\.isFinish)))
  }

  private static func line(
    _ name: String, _ target: String, _ place: String, _ tally: ArrivalTally
  ) -> String {
    func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
    func minutes(_ value: Double) -> String { "\(Int(value.rounded())) min" }
    let figures = [
      percent(tally.coverage).rightAligned(in: 8), minutes(tally.width).rightAligned(in: 13),
      minutes(tally.error).rightAligned(in: 13), minutes(tally.naiveError).rightAligned(in: 13),
      percent(tally.naiveCoverage).rightAligned(in: 7),
    ]
    let refused = tally.refused > 0 ? "  (\(tally.refused) not foretold)" : ""
    return name.leftAligned(in: 12) + target.leftAligned(in: 7) + place.rightAligned(in: 5)
      + figures.joined() + refused + "\n"
  }
}

/// How honest the forecast of arrivals is, on seeded walks of several kinds of teams.
struct ArrivalStudy: Sendable {
  /// Kinds of teams.
  enum Population: String, Sendable, CaseIterable {
    /// `synth` as it is.
    case usual
    /// `synth` at 4 to 6.4 km/h.
    case paces
    case slow
    case fast
    case steady
    case erratic
    /// Teams that a night slows down more than the prior expects.
    case nocturnal
    /// Nothing was tuned on these: worse reports, gaps, long rests and many stops.
    case noisy
  }

  /// Metres done when the forecast is asked for.
  static let places = [10_000, 30_000, 50_000, 80_000]

  /// One forecast against what happened.
  struct Trial: Sendable {
    /// Index into `places`.
    var place: Int
    var isFinish: Bool
    /// Seconds until the arrival.
    var truth: Double
    /// Seconds; `nil`: nothing was predicted.
    var band: (low: Double, middle: Double, high: Double)?
    /// Seconds: what remains at the mean pace so far, rests included.
    var naive: Double
  }

  static func walk(_ population: Population, seed: UInt64, course: Course) -> WalkLog {
    var random = SeededGenerator(seed: seed, stream: 400)
    var options = SynthOptions()
    options.seed = seed
    // Starts from six to eleven in the morning, on days of the whole year.
    let day = Int64(random.whole(in: 0...364))
    let hour = Int64(random.whole(in: 0...5)) - 2
    let start = options.start + .hours(24 * day + hour)
    var hike = Hike()
    switch population {
    case .usual: return WalkLog(synth: options, course: course, every: 600)
    case .paces:
      options.paceKilometresPerHour = 4 + 2.4 * random.unit()
      return WalkLog(synth: options, course: course, every: 600)
    case .slow: (hike.pace, hike.rest) = (3.4...4.4, 20...35)
    case .fast: (hike.pace, hike.rest, hike.fatigue) = (5.8...7.5, 5...15, 0...0.3)
    case .steady: (hike.ground, hike.stopEvery) = (0.01...0.03, 50)
    case .erratic: (hike.ground, hike.stopEvery, hike.stopMinutes) = (0.1...0.25, 8, 9)
    case .nocturnal: hike.night = 0.25...0.55
    case .noisy:
      (hike.pace, hike.rest, hike.skippedPercent) = (3.8...6.6, 8...40, 25)
      (hike.fatigue, hike.night, hike.ground) = (0...0.6, 0...0.5, 0.05...0.2)
      (hike.errorMetres, hike.gapEvery, hike.stopEvery) = (60, 3, 10)
    }
    let place = course.places.first ?? Coordinate(latitude: 0, longitude: 0)
    return hike.walk(seed: seed, start: start, course: course, near: place)
  }

  /// The forecasts of one walk.
  static func trials(of log: WalkLog, course: Course) -> [Trial] {
    var forecast = ArrivalForecast()
    var trials: [Trial] = []
    let here = course.places.first ?? Coordinate(latitude: 0, longitude: 0)
    guard let first = log.reports.first else { return [] }
    let begin = first.utc + .seconds(-600)
    forecast.walked(to: 0, checkpoints: 0, at: begin, isNight: Sun.isDown(at: begin, from: here))
    var next = 0
    for report in log.reports {
      forecast.walked(
        to: report.metres, checkpoints: report.checkpoints, at: report.utc,
        isNight: Sun.isDown(at: report.utc, from: here))
      guard next < places.count, Int(report.metres) >= places[next] else { continue }
      while next + 1 < places.count, Int(report.metres) >= places[next + 1] { next += 1 }
      let ends = course.checkpoints.map(\.distance) + [course.length]
      let passed = Int(report.checkpoints)
      // A checkpoint nearer than a kilometre is not asked about.
      let coming = ends.firstIndex { $0 >= Double(report.metres) + 1000 } ?? ends.count - 1
      for target in Set([coming, ends.count - 1]).sorted() {
        let ahead = max(0, ends[target] - Double(report.metres))
        let expected = forecast.arrival(
          after: Int32(ahead), checkpoints: Int16(target - passed), at: report.utc, near: here)
        let speed = Double(report.metres) / Double((report.utc - begin).count) * 1000
        trials.append(
          Trial(
            place: next, isFinish: target == ends.count - 1,
            truth: Double((log.arrivals[target] - report.utc).count) / 1000,
            band: expected.map {
              (
                Double(($0.earliest - report.utc).count) / 1000,
                Double(($0.expected - report.utc).count) / 1000,
                Double(($0.latest - report.utc).count) / 1000
              )
            }, naive: ahead / speed))
      }
      next += 1
    }
    return trials
  }
}

extension Course {
  /// Its points as the core has them.
  var places: [Coordinate] {
    points.prefix(1).map {
      Coordinate(
        latitude: Int32(($0.latitude * 1e7).rounded()),
        longitude: Int32(($0.longitude * 1e7).rounded()))
    }
  }
}

/// What a number of forecasts were worth.
struct ArrivalTally: Sendable {
  /// Forecasts, and those that were refused for knowing too little.
  let count: Int
  let refused: Int
  /// Of those made, the share whose arrival is inside the band.
  let coverage: Double
  /// Median width of the band, minutes.
  let width: Double
  /// Median error of the expected arrival, minutes.
  let error: Double
  /// The same of one with the mean pace so far.
  let naiveError: Double
  /// Share within a tenth of the time that the mean pace predicts: a band for it.
  let naiveCoverage: Double

  init(_ trials: [ArrivalStudy.Trial]) {
    var (inside, insideNaive) = (0, 0)
    var (widths, errors, naive): ([Double], [Double], [Double]) = ([], [], [])
    for trial in trials {
      naive.append((trial.naive - trial.truth).magnitude / 60)
      if (trial.naive - trial.truth).magnitude <= trial.naive / 10 { insideNaive += 1 }
      guard let band = trial.band else { continue }
      if band.low <= trial.truth, trial.truth <= band.high { inside += 1 }
      widths.append((band.high - band.low) / 60)
      errors.append((band.middle - trial.truth).magnitude / 60)
    }
    count = trials.count
    refused = trials.count - widths.count
    coverage = Double(inside) / Double(max(1, widths.count))
    naiveCoverage = Double(insideNaive) / Double(max(1, trials.count))
    (width, error, naiveError) = (Self.median(widths), Self.median(errors), Self.median(naive))
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
