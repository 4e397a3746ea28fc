import CommandLineSupport
import Simulation

/// `tracker-sim bench --arrivals N`: how honest the forecast of arrivals is, over N seeded walks of
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
