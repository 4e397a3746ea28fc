import CaptureStore
import FieldConsole
import TestSupport
import TrackerCore
import Wording

/// A tracker that says what a test wants, and remembers what it was asked.
struct FakeBackend: ConsoleBackend {
  var known = TrackerFacts.healthy
  /// By the line asked; other lines are refused.
  var answers: [String: String] = [:]
  var store: CaptureStore?
  /// Why it refuses everything.
  var refusal: Texts?
  var logLines: [String] = []
  var fit = ServerFit.unknown(nil)
  /// Its configuration file; `nil`: it has none.
  var settings: String?
  /// What it has kept of its last hours.
  var kept: (text: String, time: MachineTime)?
  /// What the server has; `nil`: it cannot be asked.
  var onServer: Set<CaptureKey>?
  private(set) var asked: [String] = []
  private(set) var fitAsked = 0

  mutating func facts() -> TrackerFacts { known }

  mutating func ask(_ line: String) throws(ConsoleProblem) -> String {
    asked.append(line)
    if let refusal { throw ConsoleProblem(refusal) }
    guard let answer = answers[line] else { throw ConsoleProblem("unknown command \(line)".texts) }
    return answer
  }

  mutating func serverFit() -> ServerFit {
    fitAsked += 1
    return fit
  }

  mutating func stores() throws(ConsoleProblem) -> [CaptureStore] {
    guard let store else { throw ConsoleProblem("captures.db: no such store".texts) }
    return [store]
  }

  mutating func log(newest: Int) throws(ConsoleProblem) -> [String] { logLines.suffix(newest) }

  mutating func configuration() -> String? { settings }

  mutating func keptEvents() -> (text: String, time: MachineTime)? { kept }

  mutating func known(_ captures: [StoredCapture]) throws(ConsoleProblem) -> Set<CaptureKey> {
    guard let onServer else { throw ConsoleProblem("no configuration names it".texts) }
    return onServer.intersection(captures.map(\.key))
  }
}

extension TrackerFacts {
  /// An hour after the start all is well.
  static var healthy: TrackerFacts {
    var facts = TrackerFacts()
    facts.team = "Els Senglars"
    facts.number = "17"
    facts.version = "0.1.0"
    facts.language = "en"
    facts.session = .running
    facts.runningFor = Milliseconds.hours(1).count
    facts.utc = Walk.start.milliseconds
    facts.isClockTrusted = true
    facts.receiverPort = TrackerFacts.connected
    facts.sentencesPerMinute = 60
    facts.bytesPerMinute = 4000
    facts.fixAge = 3000
    facts.noFix = 3000
    facts.coldStart = 30_000
    facts.capturing = "notDue"
    facts.captureInterval = Milliseconds.minutes(10).count
    facts.sending = "nothingPending"
    facts.lastContact = 60_000
    facts.hasModem = true
    facts.modem = "off"
    facts.modemPort = TrackerFacts.connected
    facts.batteryState = .measured
    facts.isBatteryMeasured = true
    facts.batteryReaches = true
    return facts
  }
}

extension Answer {
  /// As people read it, without the last line end.
  var text: String { String(page.text().dropLast()) }

  var isFollowed: Bool {
    if case .follow = sequel { true } else { false }
  }

  /// The names of its members, for scripts.
  var names: [String] {
    guard case .object(let members) = figure else { return [] }
    return members.map(\.name)
  }
}
