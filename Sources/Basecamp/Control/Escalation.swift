import ControlRoom
import Synchronization
import SystemCalls
import TrackerCore
import Wording

/// Who is told next of alarms that nobody has taken: one person after another, in the order of a
/// list, with the same time for each. Of an emergency the first is told again after the last one,
/// and the next at once where somebody could not be told.
struct Escalation: Sendable, Equatable {
  /// How long each person has.
  struct Patience: Sendable, Equatable {
    var usual: Milliseconds
    var emergency: Milliseconds
  }

  /// How far the list has been gone through.
  private struct Progress: Sendable, Equatable {
    /// Times that have passed without anybody's taking it.
    var turns: Int64 = 0
    /// Persons who were passed over, in all and in this turn: after one round the time decides.
    var skipped: Int64 = 0
    var skippedNow = 0
    var hasFailed = false
  }

  /// By an alarm's number.
  private var progress: [Int: Progress] = [:]

  /// - Parameter persons: how many there are, at least 1.
  /// - Returns: the alarms that a person is to be told of now, by the person's place in the list.
  mutating func due(
    _ alarms: [Alarm], persons: Int, patience: Patience, at now: UTC
  ) -> [Int: [Alarm]] {
    var due: [Int: [Alarm]] = [:]
    for alarm in alarms {
      switch alarm.state {
      case .taken, .cleared, .resolved: continue
      case .raised, .seen: break
      }
      let isEmergency = alarm.need == .emergency
      let each = isEmergency ? patience.emergency : patience.usual
      let turns = (now - alarm.raisedAt).count / max(1, each.count)
      let turn = isEmergency ? turns : min(Int64(persons), turns)
      var now = progress[alarm.number] ?? Progress()
      if turn > now.turns {
        // After a pause of the server only the one whose turn it is now.
        (now.turns, now.skippedNow) = (turn, 0)
      } else if isEmergency, now.hasFailed, now.skippedNow < persons - 1 {
        now.skipped += 1
        now.skippedNow += 1
      } else {
        continue
      }
      now.hasFailed = false
      progress[alarm.number] = now
      due[Int((now.turns - 1 + now.skipped) % Int64(persons)), default: []].append(alarm)
    }
    return due
  }

  /// The person who was told last of these alarms, by their numbers, has not heard of it.
  mutating func fail(_ alarms: [Int]) {
    for alarm in alarms { progress[alarm]?.hasFailed = true }
  }
}

/// Tells people outside of the control room of alarms that nobody has taken.
final class AlarmCalls: Sendable {
  /// A command that runs.
  private struct Call {
    var process: Int32
    var since: Milliseconds
    /// By their numbers.
    var alarms: [Int]
  }

  private struct State {
    var escalation = Escalation()
    var running: [Call] = []
  }

  private let state = Mutex(State())
  /// One for each person.
  private let commands: [ShellCommand]
  private let patience: Escalation.Patience
  private let language: Language
  private let say: @Sendable (String) -> Void

  /// - Parameter say: is told in one line whom it calls, and what went wrong.
  init(
    _ commands: [String], patience: Escalation.Patience, language: Language,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.commands = commands.map(ShellCommand.init)
    self.patience = patience
    self.language = language
    self.say = say
  }

  /// To be called every second or so.
  func look(_ desk: ControlDesk, at now: HostTime) {
    guard !commands.isEmpty else { return }
    state.withLock { state in
      end(&state, at: now.uptime)
      let due = state.escalation.due(
        desk.alarms, persons: commands.count, patience: patience, at: now.utc)
      if due.isEmpty { return }
      let board = desk.view.board
      let calls = due.sorted { $0.key < $1.key }.flatMap { person, alarms in
        Self.texts(of: alarms).map { (person, $0) }
      }
      for (person, alarms) in calls {
        let text = alarms.sorted { $0.need < $1.need }.map { line($0, board, now.utc) }.joined()
        let numbers = alarms.map(\.number)
        do throws(SystemError) {
          let process = try commands[person].start(text)
          state.running.append(Call(process: process, since: now.uptime, alarms: numbers))
          say("alarm \(numbers.map { "\($0)" }.joined(separator: ", ")): call \(person + 1)")
        } catch {
          state.escalation.fail(numbers)
          say("cannot run the command of --alert number \(person + 1): \(error)")
        }
      }
    }
  }

  /// What one text each is about: an emergency has one of its own, as a text may be cut, but if
  /// there are many the others share one.
  private static func texts(of alarms: [Alarm]) -> [[Alarm]] {
    let emergencies = alarms.filter { $0.need == .emergency }
    let alone = emergencies.prefix(Bounds.emergencyCalls).map { [$0] }
    let rest = [Array(emergencies.dropFirst(alone.count)), alarms.filter { $0.need != .emergency }]
    return alone + rest.filter { !$0.isEmpty }
  }

  private func end(_ state: inout State, at now: Milliseconds) {
    var failed: [Int] = []
    state.running.removeAll { call in
      switch reap(call.process) {
      case .running:
        if now - call.since > Bounds.alertCommand { send(.kill, toGroup: call.process) }
        return false
      case .ended(.code(0)), .unknown: return true
      case .ended(let end):
        say("a command of --alert failed: \(end)")
        failed += call.alarms
        return true
      }
    }
    state.escalation.fail(failed)
  }

  /// `22:05 CEST`, as on a clock on the server's wall, with the date if that is another one.
  private static func clock(_ utc: UTC, seen now: UTC) -> String {
    func local(_ utc: UTC) -> (text: Substring, zone: String) {
      let (offset, zone) = localTime(at: utc.milliseconds / 1000)
      return (CalendarText.text(utc + .seconds(offset)).dropLast(3), zone)
    }
    let (then, zone) = local(utc)
    let isToday = then.prefix(10) == local(now).text.prefix(10)
    return "\(isToday ? then.dropFirst(11) : then) \(zone)"
  }

  private static func text(_ position: Coordinate) -> String {
    [position.latitude, position.longitude]
      .map { Figure.real(Double($0) / 1e7, decimals: 5).line }.joined(separator: ", ")
  }

  /// What somebody has to know who is called at night, with a line for each team.
  private func line(_ alarm: Alarm, _ board: RaceBoard, _ now: UTC) -> String {
    var names: [String] = []
    for tracker in alarm.trackers {
      let row = board.rows.first { $0.tracker == tracker }
      let phone = row?.phone.map { " (\($0))" } ?? ""
      let place = row?.position.map { ", \(Self.text($0))" } ?? ""
      names.append("\(row?.name ?? tracker)\(phone)\(place)".visible)
    }
    let evidence = alarm.evidence.text(in: language) { Self.clock($0, seen: now) }
    let subject = names.isEmpty ? "" : names.joined(separator: ", ") + ": "
    // An SMS may be cut: what it is about comes first.
    let help = alarm.need == .emergency ? "SOS! " : ""
    return help + AlarmCallPhrase.untaken.text(in: language, "\(alarm.number)") + " " + subject
      + evidence + "\n"
  }
}

private enum AlarmCallPhrase: Catalogue {
  case untaken

  var texts: Texts {
    Texts(
      ca: "Ningú no s'ocupa de l'alarma {1}.", es: "Nadie se ocupa de la alarma {1}.",
      en: "Nobody has taken alarm {1}.", fr: "Personne ne s'occupe de l'alarme {1}.")
  }
}
