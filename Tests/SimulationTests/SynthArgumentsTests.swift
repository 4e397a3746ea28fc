import CommandLineSupport
import Testing

@testable import Simulation
@testable import tracker_sim

@Suite struct SynthArgumentsTests {
  static let invalid = [
    "--unknown 3", "stray", "--seed", "--seed -1", "--seed x", "--pace 0", "--pace nan",
    "--pace 1e1", "--every 0", "--every 5", "--every 15ms", "--every 55s3", "--duration 0",
    "--duration 99999999999999999999h", "--rest 3:00", "--rest 3:00-2:00", "--rest 3:00+0",
    "--rest 3:99+5min", "--tunnel -", "--canyon +", "--sentences", "--sentences rmc,rmc",
    "--sentences xyz", "--sentences ''", "--talker zz", "--start 2026-02-30T08:00:00Z",
    "--start 2026-04-18", "--checkpoint-rest 40-10", "--checkpoint-rest -5", "--night 25:00-1:00",
    "--night 1", "--noise -1", "--name ''", "--out ''", "--garbage-percent 0",
    "--from-km 5 --to-km 4", "--rollover x", "--pace é",
  ]

  @Test(arguments: invalid)
  func `A wrong argument is refused in one line that says what to give`(_ line: String) {
    let problem = #expect(throws: UsageError.self, "tracker-sim synth \(line)") {
      try readSynth(line)
    }
    let text = problem?.description ?? ""
    #expect(!text.isEmpty && !text.contains("\n") && text.utf8.count < 200)
  }

  @Test func `Every option is read`() throws {
    let line =
      "--out x --name 'a b' --comment it\\'s --seed 7 --course f --from-km 1.5 --to-km 20 --start "
      + "2024-02-29T23:59:59Z --duration 1h30min --pace 5 --checkpoint-rest 5 --night none "
      + "--sentences RMC,zda --talker GN --every 200ms --noise 0 --cold-start 90s --rest 0+1min "
      + "--dropout 1:00-1:30 --tunnel 1s-2s --canyon 1min-2min --garbage 0-1h --garbage-percent 5 "
      + "--rollover 0"
    let arguments = try readSynth(line)
    #expect(Program.synth.options.count == 24)
    for option in Program.synth.options { #expect(line.contains(option.name)) }
    #expect(arguments.output == "x")
    #expect(arguments.options.comment == "it's")
    #expect(arguments.options.duration == 5_400_000)
    #expect(arguments.options.start.milliseconds == 1_709_251_199_000)
    #expect(arguments.options.rests == [TimeSpan(from: 0, to: 60_000)])
  }

  @Test func `The command in the header reads back as the same options`() throws {
    let arguments = try readSynth(
      #"--comment=it\'s' a '\''test'\''; $HOME' --seed 9 --out somewhere"#)
    #expect(arguments.options.comment == "it's a 'test'; $HOME")
    let again = try readSynth(String(arguments.command.dropFirst("tracker-sim synth ".count)))
    #expect(again.options == arguments.options)
    #expect(!arguments.command.contains("somewhere"))
  }

  @Test func `A part beyond the course is refused with the course's length`() throws {
    let problem = #expect(throws: SynthError.self) {
      try synthesized("--from-km 120 --duration 10s")
    }
    #expect(problem?.description.contains("100.0 km") == true)
  }
}
