import Testing

@testable import Simulation

@Suite struct SynthesizerTests {
  @Test func `The same seed gives the same bytes, another seed another walk`() throws {
    let first = try synthesized("--seed 3 --duration 5min")
    #expect(try synthesized("--seed 3 --duration 5min") == first)
    #expect(fields(try synthesized("--seed 4 --duration 5min")) != fields(first))
  }

  @Test func `Sentences and rate do not change the walk`() throws {
    let every = fields(try synthesized("--duration 10min --sentences rmc --seed 5"))
    let fifth = fields(
      try synthesized("--duration 10min --sentences gsv,rmc,gga --every 5s --seed 5"))
    let each5 = stride(from: 0, to: every.count, by: 5).map { every[$0] }
    #expect(fifth.filter { $0[0] == "$GPRMC" } == each5)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `The race takes 24 to 32 hours`(_ seed: UInt64) throws {
    var options = SynthOptions()
    options.seed = seed
    var walker = Walker(course: .olotToTheSea, options: options)
    while walker.arrival == nil, walker.elapsed < .hours(40) { walker.advanceOneSecond() }
    let hours = Double(walker.elapsed.count) / 3_600_000
    #expect(
      (24...32).contains(hours), "\(hours) h: swift run tracker-sim synth --seed \(seed)")
  }

  @Test func `Speeds in sentences are those of the positions`() throws {
    let reports = fields(try synthesized("--duration 20min --sentences rmc"))
    for (before, after) in zip(reports, reports.dropFirst()) {
      let north = (minutes(after[3]) - minutes(before[3])) * 1851
      let east = (minutes(after[5]) - minutes(before[5])) * 1379
      let moved = (north * north + east * east).squareRoot()
      let stated = (Double(after[7]) ?? 0) * 1852 / 3600
      #expect((moved - stated).magnitude < 0.2, "\(after[1]): \(moved) m, \(stated) m/s")
    }
  }

  /// Minutes of arc within a degree.
  private func minutes(_ field: String) -> Double {
    guard let dot = field.firstIndex(of: ".") else { return 0 }
    return Double(field[field.index(dot, offsetBy: -2)...]) ?? 0
  }

  @Test func `A cold start is first without time, then without a fix, then with one`() throws {
    let reports = fields(
      try synthesized("--cold-start 30s --duration 60s --sentences rmc,gga,gsa,gsv"))
    let states = reports.filter { $0[0] == "$GPRMC" }.map { ($0[1].isEmpty, $0[2]) }
    try #require(states.count == 60)
    #expect(states.prefix(10).allSatisfy { $0 == (true, "V") })
    #expect(states[10..<30].allSatisfy { $0 == (false, "V") })
    #expect(states[30...].allSatisfy { $0 == (false, "A") })
  }

  @Test func `A tunnel has sentences without a fix, a dropout has none`() throws {
    let reports = fields(
      try synthesized("--tunnel 10s-20s --dropout 30s+10s --duration 50s --sentences rmc"))
    #expect(reports.count == 40)
    #expect(reports[10..<20].allSatisfy { $0[2] == "V" && $0[3].isEmpty })
    #expect(reports[29][1] == "080029.00" && reports[30][1] == "080040.00")
  }

  @Test func `After a rollover dates are 1024 weeks early`() throws {
    let reports = fields(try synthesized("--rollover 5s --duration 10s --sentences rmc,zda"))
    #expect(reports[8][9] == "180426" && Array(reports[9][2...4]) == ["18", "04", "2026"])
    #expect(reports[10][9] == "020906" && Array(reports[11][2...4]) == ["02", "09", "2006"])
  }

  @Test func `A resting team stays where it is`() throws {
    let reports = fields(
      try synthesized("--noise 0 --rest 10s+20s --duration 40s --sentences rmc"))
    #expect(Set(reports[10...30].map { $0[3] + $0[5] }).count == 1)
    #expect(Set(reports[31...].map { $0[3] + $0[5] }).count == 9)
  }

  @Test func `Every kind of sentence is whole with and without a fix`() throws {
    for talker in ["gp", "gn"] {
      let bytes = try synthesized(
        "--talker \(talker) --sentences rmc,vtg,gga,gsa,gsv,gll,gns,zda --cold-start 1min "
          + "--canyon 2min-3min --duration 3min")
      #expect(damagedLines(bytes) == 0)
      #expect(bytes.split(separator: 10).allSatisfy { $0.first == 35 || $0.count < 82 })
    }
  }

  @Test func `Between walls there are fewer satellites and worse geometry`() throws {
    let reports = fields(try synthesized("--canyon 5min-10min --duration 10min --sentences gga"))
    let used = reports.map { Int($0[7]) ?? 0 }
    #expect(used[300...].reduce(0, +) * 10 < used[..<300].reduce(0, +) * 7)
  }
}
