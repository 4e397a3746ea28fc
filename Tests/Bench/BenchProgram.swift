import CommandLineSupport
import Foundation
import Wording

/// `bench`: what the programs cost on this machine. Not installed with them.
enum Program {
  static let table = ProgramTable(
    "bench",
    main: CommandTable(
      "",
      """
      measures this machine: decoder, closed loop of 32 h, recorder and queue; build it with -c \
      release
      """.texts,
      operands: .init(.file.named("[SCRIPT ...]"), 0...Int.max),
      options: [.modems, .races, .policies, .charges, .first, .arrivals]),
    commands: [delivery, daemon, status, streams, season])

  private static let delivery = CommandTable(
    "delivery", "how fast made-up captures are delivered to a basecamp on this machine".texts,
    options: [.server, .captures, .yes], required: [["--server"]])

  private static let daemon = CommandTable(
    "daemon", "what trackerd costs beside gpsd, on the same sentences".texts,
    options: [.seconds, .gathering])

  private static let status = CommandTable(
    "status", "how long a status takes with a long queue".texts,
    options: [.captures.with(usual: "\(StatusBench.standardCaptures)")])

  private static let streams = CommandTable(
    "streams", "how long an event takes to many followers, and what they cost".texts,
    options: [.clients, .seconds.with(usual: "\(StreamsBench.standardSeconds)")])

  private static let season = CommandTable(
    "season", "what a basecamp for thousands of trackers takes, and its database".texts,
    operands: .init(.text("[PART ...]"), 0...5),
    options: [
      .sqlite, .trackers, .seconds.with(usual: "\(SeasonBench.standardSeconds)"),
      .seasonCaptures, .kill,
    ])

  /// - Returns: the exit code.
  static func run(_ words: [String]) -> Int32 {
    CommandLineSupport.run(table, words) { arguments in
      switch arguments.command.name {
      case "delivery": return try DeliveryBench(arguments).run()
      case "daemon": try DaemonBench.run(arguments)
      case "status":
        let captures = arguments.number(.captures).map { UInt32(clamping: $0) }
        try StatusBench.run(captures ?? StatusBench.standardCaptures)
      case "streams": try StreamsBench.run(arguments)
      case "season": try SeasonBench.run(arguments)
      default: try measure(arguments)
      }
      return 0
    }
  }

  private static func measure(_ arguments: Arguments) throws {
    if let script = arguments.text(.modems) {
      try ModemBench.run([script] + arguments.operands)
    } else if let word = arguments.operands.first {
      throw UsageError(UsagePhrase.tooMuch.texts(word, "bench --modems SCRIPT ..."))
    } else if let count = arguments.number(.races) {
      try RaceBench.run(Int(count))
    } else if let count = arguments.number(.policies) {
      try PolicyBench.run(Int(count), from: UInt64(arguments.number(.first) ?? 1))
    } else if let count = arguments.number(.charges) {
      try ChargeBench.run(Int(count), from: UInt64(arguments.number(.first) ?? 1))
    } else if let count = arguments.number(.arrivals) {
      try ArrivalBench.run(Int(count))
    } else {
      try MachineBench.run()
    }
  }

  /// A program of this build.
  static func path(of program: String) -> String {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().appendingPathComponent(program).path
  }
}

extension Option {
  static let modems = Option(
    "--modems", .file.named("SCRIPT"),
    excludes: ["--races", "--policies", "--charges", "--arrivals"]
  ).says("deliveries and radio time by modem: traces/modems/*.script".texts)
  static let races = Option(
    "--races", .number(1...1_000_000), excludes: ["--policies", "--charges", "--arrivals"]
  ).says("time of N races of traces/race.nmea".texts)
  static let policies = Option(
    "--policies", .number(1...1_000_000), excludes: ["--charges", "--arrivals"]
  ).says("adaptive against fixed intervals, over N races".texts)
  static let charges = Option("--charges", .number(1...1_000_000), excludes: ["--arrivals"])
    .says("how honest the estimated charge is, over N races on each of several batteries".texts)
  static let first = Option(
    "--first", .number(1...1_000_000_000), usual: "1", needs: ["--policies", "--charges"]
  ).says("the seed of the first of these races".texts)
  static let arrivals = Option("--arrivals", .number(1...1_000_000))
    .says("how honest the band of arrivals is, over N walks of each kind of team".texts)
  static let server = Option("--server", .text("URL")).says("the basecamp's layer".texts)
  static let captures = Option(
    "--captures", .number(1...1_000_000), usual: "\(DeliveryBench.standardCaptures)"
  ).says("how many captures; 17280 are 48 h at 10 s".texts)
  static let yes = Option("--yes").says("do not ask".texts)
  static let seconds = Option(
    "--seconds", .number(1...86_400), usual: "\(DaemonBench.standardSeconds)"
  ).says("for how long".texts)
  static let clients = Option(
    "--clients", .number(1...100_000), usual: "\(StreamsBench.standardClients)"
  ).says("how many streams".texts)
  static let sqlite = Option("--sqlite")
    .says("with SQLite, in place of PostgreSQL".texts)
  static let trackers = Option(
    "--trackers", .number(1...50_000), usual: "\(SeasonBench.standardTrackers)"
  ).says("how many of them".texts)
  static let seasonCaptures = Option("--captures", .number(1...10_000_000_000))
    .says("of each tracker after an outage (360), or in all of history (10000000)".texts)
  static let kill = Option("--kill", .text("WHAT"))
    .says("SIGKILL of the basecamp, the database or the broker in the middle".texts)
  static let gathering = Option("--gathering", .text("TIME"), isRepeatable: true)
    .says("a value of that setting, '250 ms': one trackerd for each".texts)
}

/// `1 capture`, `2 captures`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
