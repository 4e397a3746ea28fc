import CommandLineSupport
import FieldConsole
import Reports
import Traces
import TrackerCore

/// Everything that is observed during a run.
struct RunRecord: HostObserver {
  private(set) var log: EventLog
  private(set) var tally = RunTally()
  /// For a console; `nil`: nobody asks.
  var status: StatusBoard?
  /// For a page; `nil`: nobody wants one.
  var history: RunHistory?
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

  mutating func arrived(_ arrival: Arrival, at now: Instant) {
    log.arrived(arrival, at: now)
    tally.arrived(arrival, at: now)
    history?.arrived(arrival, at: now)
    recorder?.arrived(arrival, at: now)
    status?.arrived(arrival, at: now)
  }

  mutating func pushed(_ effect: Effect, at now: Instant) {
    log.pushed(effect, at: now)
    tally.pushed(effect, at: now)
    history?.pushed(effect, at: now)
    recorder?.pushed(effect, at: now)
    status?.pushed(effect, at: now)
  }

  mutating func remembered(_ memory: Memory, at now: Instant) {
    log.remembered(memory, at: now)
    recorder?.remembered(memory, at: now)
    status?.remembered(memory, at: now)
  }

  /// - Throws: if a file could not be written.
  mutating func finish() throws(FileProblem) {
    log.flush()
    if let problem = lines?.problem, !problem.isClosedPipe { throw problem }
    if let problem = recorder?.sink.problem { throw problem }
  }
}

/// Writes the events' lines until the first problem.
private final class EventLines {
  private let file: OutputFile
  private(set) var problem: FileProblem?

  init(_ file: OutputFile) { self.file = file }

  func write(_ bytes: [UInt8]) {
    guard problem == nil else { return }
    do throws(FileProblem) { try file.write(bytes) } catch { problem = error }
  }
}
