import BoardSupport
import Courses
import NMEA
import Reports
import Simulation
import Traces
import TrackerCore
import Wording

typealias Figure = Wording.Figure

/// Everything known about a run when it is over.
struct RunFacts {
  var trace = ""
  var board = ""
  var seed: UInt64 = 0
  var digest = Digest()
  /// When the last byte of the trace arrived, or the battery was empty.
  var traceEnd = Instant.start
  /// When its last byte arrives if the battery lasts.
  var wholeTraceEnd = Instant.start
  var distanceMetres: Int32 = 0
  var sentences = SentenceCounts()
  var fixes = FixTally()
  var configuration = Configuration()
  var tally = RunTally()
  var truth = Truth()
  /// How far the board's figures may be off.
  var doubts: [Doubt] = []
  /// The battery's charge at the start.
  var startPercent = 100.0
  /// The named places of a trace that is a GPX file.
  var places: [PageFacts.Place] = []
  /// `nil`: the run had no course.
  var course: CourseFacts?
  /// What may be wrong with a trace from which nothing was captured.
  var hint: TraceHint?

  /// Takes over what the tracker and the observer know.
  mutating func take(_ tracker: Tracker, _ record: RunRecord) {
    digest = record.log.digest
    distanceMetres = tracker.odometerMetres
    sentences = tracker.sentences
    fixes = tracker.fixes
    tally = record.tally
  }
}

/// Builds the tree of a run's figures.
enum Summary {
  /// The figures of a run in which nothing happened: it has every path that an expectation can
  /// name.
  static func blank(hasCourse: Bool = false) -> Figure {
    var facts = RunFacts()
    if hasCourse { facts.course = CourseFacts() }
    return figures(facts)
  }

  static func figures(_ facts: RunFacts) -> Figure {
    // Not a figure, so there only when there is something to say.
    let hint = facts.hint.map { [Figure.Member("hint", .text("\($0)"))] } ?? []
    let course =
      facts.course.map { [Figure.Member("course", $0.figure(facts.tally.passages))] } ?? []
    return .object(
      [
        .init("trace", .text(facts.trace)),
        .init("board", .text(facts.board)),
        .init("seed", .integer(facts.seed)),
        .init("digest", .text(facts.digest.text)),
        .init("ended", .text(facts.truth.ending)),
        .init("duration_s", seconds(facts.traceEnd - .start)),
        .init("trace_s", seconds(facts.wholeTraceEnd - .start)),
        .init("drain_s", seconds(facts.truth.now - facts.traceEnd)),
        .init("distance_m", .integer(facts.distanceMetres)),
        .init("sentences", sentences(facts.sentences)),
        .init("epochs", .integer(facts.fixes.epochs)),
        .init("fixes", fixes(facts.fixes)),
        .init("captures", captures(facts.tally, facts.truth)),
        .init("not_captured", notCaptured(facts.tally)),
        .init("silence", .list(facts.tally.silences.map(silence))),
        .init("longest_silence_s", seconds(longestSilence(facts.tally))),
        .init("uploads", uploads(facts.tally, facts.truth)),
        .init("server", server(facts.truth)),
        .init("promises", promises(facts.tally)),
        .init("contacts", contacts(facts.configuration)),
        .init("delivery", .object([.init("latency_s", latency(facts.truth.latencies))])),
        .init("energy", energy(facts)),
      ] + course + hint)
  }

  static func seconds(_ time: Milliseconds) -> Figure {
    .real(Double(time.count) / 1000, decimals: 3)
  }

  private static func sentences(_ counts: SentenceCounts) -> Figure {
    .object([
      .init("accepted", .integer(counts.accepted)),
      .init("ignored", .integer(counts.ignored)),
      .init(
        "rejected",
        .object([
          .init("checksum_mismatch", .integer(counts.checksumMismatch)),
          .init("checksum_missing", .integer(counts.checksumMissing)),
          .init("malformed", .integer(counts.malformed)),
          .init("truncated", .integer(counts.truncated)),
          .init("too_long", .integer(counts.tooLong)),
          .init("garbage", .integer(counts.garbage)),
        ])),
    ])
  }

  private static func fixes(_ tally: FixTally) -> Figure {
    .object([
      .init("accepted", .integer(tally.accepted)),
      .init("no_fix", .integer(tally.noFix)),
      .init("poor_accuracy", .integer(tally.poorAccuracy)),
      .init("impossible_speed", .integer(tally.impossibleSpeed)),
    ])
  }

  private static func captures(_ tally: RunTally, _ truth: Truth) -> Figure {
    .object([
      .init("taken", .integer(truth.stored)),
      .init("acknowledged", .integer(truth.acknowledged)),
      .init("pending", .integer(truth.pending)),
      .init("set_aside", .integer(truth.setAside)),
      .init("standing_reason", .text(tally.standingReason.map { "\($0.key)" } ?? "none")),
      .init("longest_pause_s", seconds(tally.longestPauseBetweenCaptures)),
    ])
  }

  /// Every reason for not capturing has a figure, also when it is 0, so that `--expect` can name
  /// it.
  private static func notCaptured(_ tally: RunTally) -> Figure {
    let reasons: [Reason] = [
      .noFix, .poorAccuracy, .clockUntrusted, .atRest, .storeFailed,
    ]
    return .object(
      reasons.map { reason in
        let count = tally.notCaptured.first { $0.reason == reason }?.count ?? 0
        return .init("\(reason.key)", .integer(count))
      })
  }

  private static func longestSilence(_ tally: RunTally) -> Milliseconds {
    tally.silences.map { $0.to - $0.from }.max() ?? 0
  }

  private static func silence(_ silence: Silence) -> Figure {
    var members: [Figure.Member] = [
      .init("of", .text(silence.subject == .capturing ? "capturing" : "sending")),
      .init("from", seconds(silence.from - .start)),
      .init("to", seconds(silence.to - .start)),
      .init("reason", .text("\(silence.reason.key)")),
    ]
    if let detail = silence.reason.detail { members.append(.init("detail", .integer(detail))) }
    return .object(members)
  }

  private static func uploads(_ tally: RunTally, _ truth: Truth) -> Figure {
    .object([
      .init("attempts", .integer(tally.attempts)),
      .init("succeeded", .integer(tally.succeeded)),
      .init("failed", .integer(tally.failed)),
      .init("requests", .integer(truth.requests)),
      .init("bytes_sent", .integer(truth.bytesSent)),
      .init("bytes_received", .integer(truth.bytesReceived)),
      .init("reconciliations", .integer(tally.reconciliations)),
      .init("contacts", .integer(tally.contacts)),
    ])
  }

  private static func server(_ truth: Truth) -> Figure {
    .object([
      .init("received", .integer(truth.received)),
      .init("duplicates", .integer(truth.duplicates)),
    ])
  }

  private static func contacts(_ configuration: Configuration) -> Figure {
    .object([
      .init("apart_s", seconds(configuration.contactInterval)),
      .init("rule", .text("\(configuration.contactRule)")),
      .init("by", .text("\(configuration.contactRule.text)")),
    ])
  }

  private static func promises(_ tally: RunTally) -> Figure {
    .object([
      .init("given", .integer(tally.promises.given)),
      .init("broken", .integer(tally.promises.broken)),
    ])
  }

  /// Percentiles by nearest rank.
  private static func latency(_ latencies: [Int64]) -> Figure {
    let sorted = latencies.sorted()
    func rank(_ percent: Int) -> Figure {
      guard !sorted.isEmpty else { return .none }
      let index = max(0, (sorted.count * percent + 99) / 100 - 1)
      return seconds(Milliseconds(sorted[index]))
    }
    return .object([
      .init("p50", rank(50)), .init("p95", rank(95)), .init("max", rank(100)),
    ])
  }

  private static func energy(_ facts: RunFacts) -> Figure {
    let truth = facts.truth
    let used = max(0, facts.startPercent - truth.batteryPercent)
    let error = used * EnergyBand.share(facts.doubts, truth)
    func percent(_ value: Double) -> Figure {
      .real(min(100, max(0, value)), decimals: 2)
    }
    func milliwattHours(_ millijoules: Double) -> Figure {
      .real(millijoules / 3600, decimals: 3)
    }
    let delivered = Double(truth.acknowledged)
    return .object([
      .init("consumed_mwh", milliwattHours(truth.drawn)),
      .init(
        "by_part",
        .object([
          .init("board", milliwattHours(truth.board)),
          .init("receiver", milliwattHours(truth.receiver)),
          .init("modem", milliwattHours(truth.modem)),
          .init("conversion", milliwattHours(truth.conversion)),
        ])),
      .init("battery_end_percent", .real(truth.batteryPercent, decimals: 2)),
      .init("battery_end_percent_low", percent(truth.batteryPercent - error)),
      .init("battery_end_percent_high", percent(truth.batteryPercent + error)),
      .init("battery_end_mv", .real(truth.batteryMillivolts, decimals: 0)),
      .init(
        "joules_per_delivered_capture",
        delivered > 0 ? .real(truth.drawn / 1000 / delivered, decimals: 2) : .none),
    ])
  }
}

/// What the simulated world knows about a run, independent of the tracker.
struct Truth {
  var ending = endings[0]
  var now = Instant.start
  var stored: UInt32 = 0
  var acknowledged: UInt32 = 0
  var pending: UInt32 = 0
  var setAside: UInt32 = 0
  var latencies: [Int64] = []
  var requests: UInt32 = 0
  var bytesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var received = 0
  var duplicates: UInt32 = 0
  var drawn = 0.0
  var board = 0.0
  var receiver = 0.0
  var modem = 0.0
  var conversion = 0.0
  var batteryPercent = 0.0
  var batteryMillivolts = 0.0

  /// The values of the figure `ended`.
  static let endings = ["finished", "stillPending", "batteryEmpty", "stuck"]

  init() {}

  init(_ world: borrowing World) throws {
    ending =
      switch world.ending {
      // An unreadable trace has no summary.
      case .finished, .traceUnreadable, nil: Self.endings[0]
      case .stillPending: Self.endings[1]
      case .batteryEmpty: Self.endings[2]
      case .stuck: Self.endings[3]
      }
    now = world.now
    let tally = world.store.tally
    stored = UInt32(tally.rows)
    acknowledged = UInt32(tally.acknowledged)
    pending = UInt32(tally.pending)
    setAside = UInt32(tally.setAside)
    latencies = world.latencies
    requests = world.requestCount
    bytesSent = world.bytesSent
    bytesReceived = world.bytesReceived
    received = try world.server.received
    duplicates = try world.server.duplicates
    drawn = world.meter.drawnMillijoules
    board = world.meter.boardMillijoules
    receiver = world.meter.receiverMillijoules
    modem = world.meter.modemMillijoules
    conversion = world.meter.conversionMillijoules
    batteryPercent = world.battery.percent
    batteryMillivolts = world.battery.millivolts
  }
}

/// What a run says about its course.
struct CourseFacts {
  /// `nil`: of a run in which nothing happened.
  var course: MappedCourse?
  /// Along the course at the end of the run; `nil`: it was never near it.
  var doneMetres: Int32?
  var toGoMetres: Int32?

  /// Of a run in which nothing happened.
  init() {}

  init(_ course: MappedCourse, _ tracker: borrowing Tracker) {
    self.course = course
    doneMetres = tracker.progress.doneMetres
    toGoMetres = tracker.progress.toGoMetres(on: course)
  }

  /// - Parameter passages: in the order in which they were noticed.
  func figure(_ passages: [(passage: Passage, utc: UTC?)]) -> Figure {
    var passed: Set<Int16> = []
    var missed: Set<Int16> = []
    for (passage, _) in passages {
      switch passage.kind {
      case .entered, .inferred: passed.insert(passage.place)
      case .missed: missed.insert(passage.place)
      case .left: break
      }
    }
    return .object([
      .init("done_m", doneMetres.map { .integer($0) } ?? .none),
      .init("to_go_m", toGoMetres.map { .integer($0) } ?? .none),
      .init("places", .integer(course?.places.count ?? 0)),
      .init("passed", .integer(passed.count)),
      .init("missed", .integer(missed.subtracting(passed).count)),
      .init("passages", .list(passages.map { figure($0.passage, $0.utc) })),
    ])
  }

  private func figure(_ passage: Passage, _ utc: UTC?) -> Figure {
    let (place, places) = (Int(passage.place), course?.places ?? [])
    return .object([
      .init("place", places.indices.contains(place) ? .text(places[place].name) : .none),
      .init("kind", .text("\(passage.kind.name)")),
      .init("at_s", Summary.seconds(passage.at - .start)),
      .init("time", PassageTable.date(utc)),
      .init("doubt_s", .integer(passage.doubtSeconds)),
    ])
  }
}

/// How far the charge that a run has used may be off, because the board's figures may.
enum EnergyBand {
  /// Half the width of a band of 90 %, in units of the standard deviation, for a sum of several
  /// uniform errors; and the standard deviation of one, in units of its greatest error.
  private static let width = 1.645 * 0.577

  /// The share of the used charge, either way.
  ///
  /// The figures of one part count as one error, the greatest of them, weighted by the energy of
  /// that part; different parts err independently. Capacity and efficiency concern all of it.
  static func share(_ doubts: [Doubt], _ truth: Truth) -> Double {
    let useful = truth.board + truth.receiver + truth.modem
    guard useful > 0 else { return 0 }
    var sum = 0.0
    let parts = [
      ("loads.board", truth.board), ("loads.receiver", truth.receiver),
      ("loads.modem", truth.modem), ("battery.cellCapacity", useful),
      ("battery.regulator.efficiency", useful),
    ]
    for (prefix, energy) in parts {
      let greatest = doubts.filter { $0.keyPath.hasPrefix(prefix) }.map(\.percent).max() ?? 0
      let error = Double(greatest) / 100 * energy / useful
      sum += error * error
    }
    return width * sum.squareRoot()
  }
}
