import Testing

@testable import Simulation

@Suite struct GoldenTraceTests {
  @Test(arguments: TraceFile.all)
  func `A trace is what the command in its header makes`(_ trace: TraceFile) throws {
    let command = try trace.command()
    let prefix = "tracker-sim synth "
    try #require(command.hasPrefix(prefix), "traces/\(trace.name).nmea states no command")
    let isSame = try synthesized(String(command.dropFirst(prefix.count))) == trace.bytes()
    #expect(
      isSame, "reproduce: swift run \(command) | cmp - traces/\(trace.name).nmea")
  }

  @Test(arguments: TraceFile.all)
  func `A trace has whole sentences only, unless garbage is its subject`(
    _ trace: TraceFile
  ) throws {
    let damaged = damagedLines(try trace.bytes())
    #expect(
      trace.name == "garbage" ? damaged > 100 : damaged == 0,
      "reproduce: gpsdecode < traces/\(trace.name).nmea; \(damaged) damaged lines")
  }

  @Test(arguments: TraceFile.all)
  func `A trace has parts with and without a fix`(_ trace: TraceFile) throws {
    let states = fields(try trace.bytes()).filter { $0[0].hasSuffix("RMC") && $0.count > 2 }
      .map { $0[2] }
    #expect(states.contains("A") && states.contains("V"), "see traces/\(trace.name).nmea")
  }

  @Test func `The race is small enough for the repository`() throws {
    let race = try TraceFile(name: "race").bytes()
    #expect(race.count < 3_000_000, "traces/race.nmea has \(race.count) bytes")
  }
}
