import CommandLineSupport
import Foundation
import SystemCalls

/// `bench season`: what a basecamp for thousands of trackers takes on this machine, whose other
/// work are the trackers themselves; their processor time is told apart.
struct SeasonBench {
  enum Part: String, CaseIterable {
    case load, batches, outage, broker, history
  }

  static let standardTrackers = 5000
  static let standardSeconds = 60

  private let trackers: Int
  private let seconds: Double
  private let captures: Int?
  private let victim: String?
  private let database: BenchedDatabase?

  static func run(_ arguments: Arguments) throws {
    let parts = try arguments.operands.map { word in
      guard let part = Part(rawValue: word) else {
        let known = Part.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(word) is no part of a season; there are \(known)")
      }
      return part
    }
    for part in parts.isEmpty ? Part.allCases : parts {
      let bench = try SeasonBench(arguments, part)
      printLine("\(part.rawValue), on \(bench.database == nil ? "SQLite" : "PostgreSQL")")
      switch part {
      case .load: try bench.load()
      case .batches: try bench.batches()
      case .outage: try bench.outage()
      case .broker: try bench.publish()
      case .history:
        guard let database = bench.database else {
          throw UsageError("history is measured on PostgreSQL; leave out --sqlite")
        }
        try SeasonHistory(database, captures: bench.captures ?? 10_000_000).run()
      }
    }
  }

  private init(_ arguments: Arguments, _ part: Part) throws {
    trackers = arguments.number(.trackers).map { Int($0) } ?? Self.standardTrackers
    seconds = Double(arguments.number(.seconds) ?? Int64(Self.standardSeconds))
    captures = arguments.number(.seasonCaptures).map { Int($0) }
    victim = arguments.text(.kill)
    database =
      arguments.has(.sqlite)
      ? nil : try BenchedDatabase(part == .history ? SeasonHistory.settings : [])
    // Each client has a connection, and two files of libcurl's.
    let files = trackers * 3 + 100
    guard raiseFileLimit(to: files) >= files else {
      throw BenchError(description: "so many files may not be open; raise the limit (ulimit -n)")
    }
  }

  private func newCamp(_ more: [String] = []) throws -> BenchedCamp {
    try BenchedCamp(
      database: database.map { ["--database", $0.address, "--race", "season"] } ?? [], more)
  }

  // MARK: Parts

  /// A capture of each tracker every ten seconds, one at a time.
  private func load() throws {
    let camp = try newCamp()
    let fleet = try SeasonFleet(trackers, on: camp)
    let stream = try EventWatch(camp)
    fleet.watched = (stream.descriptor, stream.read)
    // Once around to begin with: the connections, and what is to be known of the layer.
    try walk(fleet, seconds: SeasonFleet.pace)
    let usage = Usage(self, camp, fleet)
    try walk(fleet, seconds: seconds, stream) { try strike(camp) }
    try fleet.drain()
    try usage.report(seconds: seconds)
    Self.report("commit to stream", stream.delays)
    if stream.missed > 0 { printLine("not on the stream within 5 s: \(stream.missed)") }
    try check(fleet, camp)
  }

  private func walk(
    _ fleet: SeasonFleet, seconds: Double, _ stream: EventWatch? = nil,
    atHalf: () throws -> Void = {}
  ) throws {
    let start = Date()
    let step = SeasonFleet.pace / Double(fleet.members.count)
    var next = 0
    var isHalf = false
    while case let time = Date().timeIntervalSince(start), time < seconds {
      while Double(next) * step <= time {
        let member = fleet.members[next % fleet.members.count]
        fleet.capture(member)
        fleet.send(member)
        next += 1
      }
      if !isHalf, time > seconds / 2 {
        isHalf = true
        try atHalf()
      }
      fleet.turn(within: min(step, 0.01))
      stream?.note(fleet)
    }
  }

  /// A few trackers that send a hundred captures at a time, as fast as they are answered.
  private func batches() throws {
    let camp = try newCamp()
    let fleet = try SeasonFleet(min(trackers, 16), on: camp)
    for member in fleet.members {
      fleet.capture(member)
      fleet.send(member)
    }
    try fleet.drain()
    let usage = Usage(self, camp, fleet)
    let start = Date()
    var isHalf = false
    while case let time = Date().timeIntervalSince(start), time < seconds {
      for member in fleet.members where fleet.isIdle(member) {
        fleet.capture(member, count: 100)
        fleet.send(member)
      }
      if !isHalf, time > seconds / 2 {
        isHalf = true
        try strike(camp)
      }
      fleet.turn(within: 0.01)
    }
    try fleet.drain()
    try usage.report(seconds: Date().timeIntervalSince(start))
    try check(fleet, camp)
    if let database { try SeasonPeers(database).run() }
  }

  /// As `load`, but on a broker, to which the trackers share a connection.
  private func publish() throws {
    let broker = try BenchedBroker()
    let camp = try newCamp(["--mqtt", broker.address])
    let publishers = try SeasonPublishers(trackers, to: broker)
    let before = (camp.processorTime, broker.processorTime, ProcessorTime.of(getpid()))
    let start = Date()
    try publishers.play(seconds: seconds) {
      if victim == "broker" {
        broker.kill()
        try broker.start()
      } else {
        try strike(camp)
      }
    }
    let time = Date().timeIntervalSince(start)
    printLine(
      String(
        format: "%d trackers: %d captures in %.1f s, %d published again; basecamp %.0f %% of a "
          + "core, the broker %.0f %%, the trackers %.0f %%",
        trackers, publishers.acknowledged, time, publishers.repeated,
        (camp.processorTime - before.0) / time * 100,
        (broker.processorTime - before.1) / time * 100,
        (ProcessorTime.of(getpid()) - before.2) / time * 100))
    Self.report("capture to acknowledgement", publishers.delays)
    try check(made: publishers.made, acknowledged: publishers.acknowledged, camp)
  }

  /// All trackers come back within a minute, each with an hour of captures, or with `--captures`
  /// of them; meanwhile some call for help.
  private func outage() throws {
    let camp = try newCamp()
    let fleet = try SeasonFleet(trackers, on: camp)
    let hour = captures ?? Int(3600 / SeasonFleet.pace)
    for member in fleet.members { fleet.capture(member, count: hour) }
    let usage = Usage(self, camp, fleet)
    let start = Date()
    let window = min(60, seconds)
    var (back, calls, isHalf, told) = (0, 0, false, 0.0)
    while back < trackers || !fleet.isQuiet {
      let time = Date().timeIntervalSince(start)
      back = min(trackers, Int(Double(trackers) * time / window))
      for member in fleet.members[..<back] { fleet.send(member) }
      if calls < 50, time >= Double(calls + 1), let member = fleet.members[..<back].randomElement()
      {
        fleet.capture(member, isEmergency: true)
        calls += 1
      }
      if !isHalf, time > window / 2 {
        isHalf = true
        try strike(camp)
      }
      if time >= told + 15 {
        told = time
        printLine(
          String(
            format: "after %.0f s: %d waiting, %d requests, %@", time, fleet.waiting,
            fleet.tally.requests, "\(fleet.tally.failures)"))
      }
      fleet.turn(within: 0.01)
    }
    try usage.report(seconds: Date().timeIntervalSince(start))
    Self.report("call for help to acknowledgement", fleet.tally.emergencies)
    try check(fleet, camp)
    let room = try camp.get("/room/state").text.components(separatedBy: "\"alarms\": ").last ?? ""
    let needs = room.components(separatedBy: "\"need\": \"").dropFirst().map {
      $0.prefix { $0 != "\"" }
    }
    let counts = Dictionary(needs.map { (String($0), 1) }, uniquingKeysWith: +)
    printLine("calls for help    \(calls); alarms: \(counts.sorted { $0.key < $1.key })")
  }

  // MARK: Help

  private func strike(_ camp: BenchedCamp) throws {
    switch victim {
    case "basecamp":
      let start = Date()
      try camp.killAndRestart()
      printLine(
        String(format: "basecamp killed, listens after %.1f s", Date().timeIntervalSince(start)))
    case "database":
      try database?.tell("kill")
      try database?.tell("start")
    default: break
    }
  }

  private func check(_ fleet: SeasonFleet, _ camp: BenchedCamp) throws {
    try check(made: fleet.tally.made, acknowledged: fleet.tally.acknowledged, camp)
  }

  private func check(made: Int, acknowledged: Int, _ camp: BenchedCamp) throws {
    let stored = try camp.count()
    printLine(
      "captures          \(made) made, \(acknowledged) acknowledged, \(stored) stored: "
        + "\(acknowledged - min(stored, acknowledged)) lost, \(max(0, stored - made)) too many")
    guard stored == made, stored == acknowledged else {
      throw BenchError(description: "what is stored is not what was made and acknowledged")
    }
  }

  static func report(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    func part(_ share: Double) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
    printLine(
      String(
        format: "%@ (%d): p50 %.3f, p95 %.3f, max %.3f s", name, sorted.count, part(0.5),
        part(0.95), sorted.last ?? 0))
  }

  /// What everybody has used since its making.
  private struct Usage {
    let bench: SeasonBench
    let camp: BenchedCamp
    let fleet: SeasonFleet
    let before: (camp: Double, database: Double, own: Double, tally: SeasonFleet.Tally)
    let resident: Int

    init(_ bench: SeasonBench, _ camp: BenchedCamp, _ fleet: SeasonFleet) {
      (self.bench, self.camp, self.fleet) = (bench, camp, fleet)
      before = (
        camp.processorTime, bench.database?.processorTime ?? 0, ProcessorTime.of(getpid()),
        fleet.tally
      )
      resident = (try? camp.resident()) ?? 0
    }

    func report(seconds: Double) throws {
      let tally = fleet.tally
      let done = tally.acknowledged - before.tally.acknowledged
      printLine(
        String(
          format: "%d trackers        %d captures in %.1f s: %.0f/s, %d requests",
          fleet.members.count, done, seconds, Double(done) / seconds,
          tally.requests - before.tally.requests))
      // Of a killed one only what the next has used.
      func use(_ name: String, _ after: Double, _ before: Double) {
        let used = max(0, after >= before ? after - before : after)
        printLine(
          String(
            format: "%@ %.1f s of processor time, %.0f %% of a core, %.3f ms for each capture",
            name, used, used / seconds * 100, used * 1000 / Double(max(1, done))))
      }
      use("basecamp         ", camp.processorTime, before.camp)
      if let database = bench.database {
        use("PostgreSQL       ", database.processorTime, before.database)
      }
      use("the trackers     ", ProcessorTime.of(getpid()), before.own)
      printLine(
        String(
          format: "basecamp's memory %.1f MB before, %.1f after, at most %.1f",
          Double(resident) / 1024, Double(try camp.resident()) / 1024,
          Double(try camp.resident(peak: true)) / 1024))
      SeasonBench.report(
        "request to answer", Array(tally.answers.dropFirst(before.tally.answers.count)))
      for (name, count) in tally.failures.sorted(by: { $0.key < $1.key }) {
        printLine("not answered with success: \(name) \(count) times")
      }
    }
  }
}

/// Reads the control room's stream, and how long captures take to it.
private final class EventWatch {
  let descriptor: Int32
  private(set) var delays: [Double] = []
  /// What was not told within five seconds.
  private(set) var missed = 0
  private var wanted: (text: [UInt8], since: Date)?
  private var tail: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(_ camp: BenchedCamp) throws { descriptor = try camp.stream() }

  deinit { close(descriptor) }

  /// Looks out for what was acknowledged last, if it looks out for nothing.
  func note(_ fleet: SeasonFleet) {
    let now = Date()
    if let wanted, now.timeIntervalSince(wanted.since) > 5 {
      missed += 1
      self.wanted = nil
    }
    // One from before may have been told of already.
    guard wanted == nil, let newest = fleet.newest, now.timeIntervalSince(newest.at) < 0.05 else {
      return
    }
    let latitude = SeasonFleet.latitude(newest.sequence, of: newest.of) / 10
    wanted = (Array("\"latitude\": 42.\("\(latitude)".dropFirst(2))".utf8), newest.at)
  }

  /// - Returns: whether there may be more.
  func read() -> Bool {
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return false }
    guard let wanted else { return true }
    let all = tail + buffer[..<count]
    if all.contains(wanted.text) {
      delays.append(Date().timeIntervalSince(wanted.since))
      self.wanted = nil
      tail = []
    } else {
      tail = Array(all.suffix(wanted.text.count))
    }
    return true
  }
}

/// A line of the bench's, at once: who watches hours of it wants to know how far it is.
func printLine(_ line: String) { try? printOut("\(line)\n") }
