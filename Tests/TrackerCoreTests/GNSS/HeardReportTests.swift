import NMEA
import Testing

@testable import TrackerCore

/// What a tracker tells its host of the receiver, besides its effects.
@Suite struct HeardReportTests {
  /// Notes what it hears, as a host and as somebody who watches one.
  private struct Ear: Host, HostObserver {
    var log: [String] = []
    var now = Instant.at(1000)
    var newSettings: NewSettings?

    mutating func wait(
      until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
    ) -> Arrival { .end }
    mutating func remember(_ memory: Memory) {}
    mutating func push(_ effect: Effect) {
      if case .note(.clockTrusted) = effect { log.append("trusted") }
    }
    mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {
      log.append("\(kind) \(fields.count)")
    }
    mutating func heard(_ report: Epoch) { log.append("report") }
    mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {
      log.append("\(counts.accepted) \(isReportOpen ? "open" : "closed")")
    }

    mutating func arrived(_ arrival: Arrival, at now: Instant) {}
    mutating func pushed(_ effect: Effect, at now: Instant) { push(effect) }
    mutating func heard(
      _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant
    ) { heard(kind, talker, fields) }
    mutating func heard(_ report: Epoch, at now: Instant) { heard(report) }
    mutating func heard(_ counts: SentenceCounts, at now: Instant) {
      heard(counts, isReportOpen: true)
    }
  }

  private static func report(_ second: Int64) -> [UInt8] {
    let utc = UTC(milliseconds: 1_780_000_000_000 + second * 1000)
    return Array(Sentences.report(.olot, accuracyMetres: 5, utc: utc).utf8)
  }

  private static var tracker: Tracker {
    Tracker(board: .bench, configuration: Configuration(), identity: .bench, at: .start)
  }

  @Test func `Each report is told, before what follows from it`() throws {
    var (tracker, ear) = (Self.tracker, Ear())
    let nothing: [UInt8] = []
    for second in Int64(0)..<60 {
      let now = Instant.at(1000 + second * 1000)
      let bytes = Self.report(second)
      tracker.receive(bytes.span, from: .receiver, at: now, into: &ear)
      #expect(ear.log.last == "\(2 * (second + 1)) open", again(Self.self))
      // Every second report is closed by a pause.
      guard second % 2 == 1 else { continue }
      tracker.handle(.deadlineReached, at: now + 200, into: &ear)
      tracker.receive(nothing.span, from: .receiver, at: now + 300, into: &ear)
      #expect(ear.log.last == "\(2 * (second + 1)) closed", again(Self.self))
    }
    let trusted = try #require(ear.log.firstIndex(of: "trusted"), again(Self.self))
    #expect(ear.log[trusted - 1] == "report", again(Self.self))
    #expect(ear.log.count { $0 == "report" } == 60, again(Self.self))
    #expect(tracker.fixes.epochs == 60, again(Self.self))
  }

  @Test func `Who watches a host takes nothing away from it`() {
    var tracker = Self.tracker
    var host = Observed(Ear(), by: Ear())
    let level = Array(Sentences.framed("GPGSV,1,1,01,07,40,100,30").utf8)
    let bytes = level + Self.report(0) + Self.report(1)
    tracker.receive(bytes.span, from: .receiver, at: .at(1000), into: &host)
    #expect(host.base.log == ["gsv 19", "report", "5 open"], again(Self.self))
    #expect(host.observer.log == host.base.log, again(Self.self))
  }
}
