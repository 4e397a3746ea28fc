import BoardSupport
import CaptureStore
import CommandLineSupport
import FieldConsole
import MapTiles
import NMEA
import Reports
import Simulation
import SystemCalls
import Traces
import TrackerCore
import Wording

/// The page of `--report`.
enum RunReport {
  /// Makes a run tell what the page needs. This changes nothing in the run.
  static func gather(_ history: RunHistory, from host: inout Observed<World, RunRecord>) {
    host.observer.history = history
    host.base.onDelivery = { history.delivered($0, at: $1) }
    host.base.beginLooking { tracker, world in
      history.looked(
        RunHistory.Look(
          at: world.now, position: tracker.lastPosition, percent: world.battery.percent,
          altitudeMillimetres: tracker.lastFix?.altitudeMillimetres))
    }
  }

  /// Passes on which captures the server has refused.
  static func noteSetAside(_ history: RunHistory, _ store: CaptureStore) throws {
    for capture in try store.captures(in: .setAside) { history.setAside(capture.key) }
  }

  /// `nil`: nobody wants a page.
  static func facts(
    _ summary: Figure, _ facts: RunFacts, _ claims: [PageFacts.Claim], of inputs: RunInputs,
    in language: Language
  ) -> PageFacts? {
    guard let history = inputs.history else { return nil }
    var page = PageFacts(
      figures: summary, history: history, end: facts.truth.now, language: language,
      zone: zone(of: inputs.settings))
    page.claims = claims
    page.holes = inputs.scenario.coverage.map { window in
      PageFacts.Hole(
        from: .start + window.from, to: window.to.map { .start + $0 }, kind: kind(window.content))
    }
    page.checkpoints = facts.places
    page.course = facts.course?.course.map { course in
      PageFacts.Course(course, facts.tally.passages.map(\.passage))
    }
    page.latencies = facts.truth.latencies
    page.startPercent = facts.startPercent
    page.bandShare = EnergyBand.share(facts.doubts, facts.truth)
    page.program = "tracker-sim \(version)"
    return page
  }

  static func write(_ page: PageFacts, to file: OutputFile) throws {
    try file.write(Array(RunPage.html(page).utf8))
    try file.finish()
  }

  private static func kind(_ hole: CoverageHole) -> PageFacts.Hole.Kind {
    switch hole {
    case .noService: .noService
    case .noBearer: .noBearer
    case .denied: .denied
    }
  }

  /// The zone of the configuration, else this machine's.
  static func zone(of settings: ConfigurationFile) -> PageZone {
    guard let zone = settings.timeZone.flatMap({ IANAZone($0) }) else {
      return PageZone { IANAZone.machineOffsetSeconds(at: $0) }
    }
    return PageZone(name: zone.name) { zone.offsetSeconds(at: $0) }
  }
}

/// Everything that is observed during a run.
struct RunRecord: HostObserver {
  private(set) var log: EventLog
  private(set) var tally = RunTally()
  /// For a console; `nil`: nobody asks.
  var status: StatusBoard?
  /// For a page; `nil`: nobody wants one.
  var history: RunHistory?
  /// `nil`: the run is not held against the invariants.
  var watch: InvariantWatch?
  private var recorder: Recorder<RecordingFile>?
  private let lines: EventLines?

  init(events: OutputFile?, recorder: Recorder<RecordingFile>? = nil) {
    let lines = events.map(EventLines.init)
    self.lines = lines
    self.recorder = recorder
    log = EventLog(write: lines.map { lines in { lines.write($0) } })
  }

  mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    log.received(bytes, from: role, at: now)
    recorder?.received(bytes, from: role, at: now)
    status?.received(bytes, from: role, at: now)
  }

  mutating func received(_ settings: NewSettings, at now: Instant) {
    log.received(settings, at: now)
    recorder?.received(settings, at: now)
  }

  mutating func heard(
    _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant
  ) {
    status?.heard(kind, talker, fields, at: now)
  }
  mutating func heard(_ report: Epoch, at now: Instant) { status?.heard(report, at: now) }
  mutating func heard(_ counts: SentenceCounts, at now: Instant) { status?.heard(counts, at: now) }

  mutating func arrived(_ arrival: Arrival, at now: Instant) {
    log.arrived(arrival, at: now)
    tally.arrived(arrival, at: now)
    history?.arrived(arrival, at: now)
    watch?.arrived(arrival, at: now)
    recorder?.arrived(arrival, at: now)
    status?.arrived(arrival, at: now)
  }

  mutating func pushed(_ effect: Effect, at now: Instant) {
    log.pushed(effect, at: now)
    tally.pushed(effect, at: now)
    history?.pushed(effect, at: now)
    watch?.pushed(effect, at: now)
    recorder?.pushed(effect, at: now)
    status?.pushed(effect, at: now)
  }

  mutating func remembered(_ memory: Memory, at now: Instant) {
    log.remembered(memory, at: now)
    watch?.remembered(memory, at: now)
    recorder?.remembered(memory, at: now)
    status?.remembered(memory, at: now)
  }

  /// - Throws: if a file could not be written.
  mutating func finish() throws(FileAccessError) {
    log.flush()
    if let problem = lines?.problem, !problem.isClosedPipe { throw problem }
    if let problem = recorder?.sink.problem { throw problem }
  }
}

/// Writes the events' lines until the first problem.
private final class EventLines {
  private let file: OutputFile
  private(set) var problem: FileAccessError?

  init(_ file: OutputFile) { self.file = file }

  func write(_ bytes: [UInt8]) {
    guard problem == nil else { return }
    do throws(FileAccessError) { try file.write(bytes) } catch { problem = error }
  }
}

/// The file of `--tiles`: what is below a page's maps.
struct TileFile {
  private let path: String
  private let tiles: MBTiles

  /// Refuses a file without tiles that a page can show.
  init(path: String) throws {
    self.path = path
    // A pipe would be waited for.
    if let status = try? FileStatus(path), status.kind != .file {
      throw UsageError("--tiles \(path): not a regular file; give an MBTiles file")
    }
    do throws(MBTilesError) { tiles = try MBTiles(path: path) } catch {
      throw UsageError("--tiles \(path): \(error)")
    }
  }

  /// Says on standard error what the page will lack.
  func mosaic(_ view: MapView) -> TileMosaic {
    let mosaic = tiles.mosaic(view)
    for doubt in mosaic.doubts { complain("--tiles \(path): \(doubt)") }
    return mosaic
  }
}
