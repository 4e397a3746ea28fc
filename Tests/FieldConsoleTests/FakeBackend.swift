import CaptureStore
import FieldConsole
import TestSupport
import TrackerCore
import Uplink
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
  /// What the server shows of the team; `nil`: it cannot be asked.
  var served: [ServedCapture]?
  private(set) var asked: [String] = []
  private(set) var fitAsked = 0

  mutating func facts() -> TrackerFacts { known }

  mutating func ask(_ line: String) throws(ConsoleError) -> String {
    asked.append(line)
    if let refusal { throw ConsoleError(refusal) }
    guard let answer = answers[line] else { throw ConsoleError("unknown command \(line)".texts) }
    return answer
  }

  mutating func serverFit() -> ServerFit {
    fitAsked += 1
    return fit
  }

  mutating func stores() throws(ConsoleError) -> [CaptureStore] {
    guard let store else { throw ConsoleError("captures.db: no such store".texts) }
    return [store]
  }

  mutating func log(newest: Int) throws(ConsoleError) -> [String] { logLines.suffix(newest) }

  mutating func configuration() -> String? { settings }

  mutating func keptEvents() -> (text: String, time: MachineTime)? { kept }

  mutating func known(_ captures: [StoredCapture]) throws(ConsoleError) -> Set<CaptureKey> {
    guard let onServer else { throw ConsoleError("no configuration names it".texts) }
    return onServer.intersection(captures.map(\.key))
  }

  mutating func served(team: String) throws(ConsoleError) -> [ServedCapture] {
    guard let served else { throw ConsoleError("no configuration names it".texts) }
    return served
  }
}

extension TrackerFacts {
  /// An hour after the start all is well.
  static var healthy: TrackerFacts {
    var facts = TrackerFacts()
    facts.identity.team = "Els Senglars"
    facts.identity.number = "17"
    facts.identity.version = "0.1.0"
    facts.identity.language = .english
    facts.session.state = .running
    facts.identity.runningFor = .hours(1)
    facts.clock.utc = Walk.start
    facts.clock.isTrusted = true
    facts.receiver.port = .connected
    facts.receiver.sentencesPerMinute = 60
    facts.receiver.bytesPerMinute = 4000
    facts.receiver.fixAge = 3000
    facts.receiver.noFix = 3000
    facts.receiver.coldStart = 30_000
    facts.captures.reason = .notDue
    facts.captures.interval = .minutes(10)
    facts.sending.reason = .nothingPending
    facts.sending.lastContact = 60_000
    facts.modem.isPresent = true
    facts.modem.phase = .off
    facts.modem.port = .connected
    facts.battery.state = .measured
    facts.battery.isMeasured = true
    facts.battery.reachesFinish = true
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
