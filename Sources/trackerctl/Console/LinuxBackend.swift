import CaptureStore
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

/// A tracker on this machine, as a console sees it: running behind its socket, or not.
struct LinuxBackend: ConsoleBackend {
  let place: TrackerPlace
  /// The store of the tracker that answered last.
  private var store: String?
  /// What was read for the facts; good for the command that asked for them.
  private var snapshot: [CaptureStore]?

  /// The tracker's server, once it was asked.
  var server: ServerConnection?

  init(_ place: TrackerPlace) { self.place = place }

  mutating func facts() throws(ConsoleProblem) -> TrackerFacts {
    snapshot = nil
    if place.isSocketGuessed {
      if let facts = factsOfTracker() { return facts }
      return try factsOfStore()
    }
    do throws(AnswerError) {
      return try facts(at: place.socket)
    } catch {
      switch error.kind {
      case .absent: return AbsentTracker(place: place).dead()
      case .silent(let process): return AbsentTracker(place: place).hung(process)
      // What listens there is not a working trackerd.
      case .other:
        var facts = AbsentTracker(place: place).hung(nil)
        facts.identity.systemd = error.texts
        return facts
      case .forbidden, .impossible: throw ConsoleProblem(error)
      }
    }
  }

  /// Those of the tracker that uses the named store; `nil`: none that is known.
  private mutating func factsOfTracker() -> TrackerFacts? {
    guard let facts = try? facts(at: place.socket), let used = facts.store.path,
      Export.isSame(used, place.store)
    else {
      store = nil
      return nil
    }
    return facts
  }

  private mutating func facts(at socket: String) throws(AnswerError) -> TrackerFacts {
    let facts: TrackerFacts
    do throws(AnswerError) {
      facts = try ControlClient.facts(at: socket, within: ConsoleBounds.facts)
    } catch {
      // It ended at this very moment, or had too many clients.
      guard error.kind == .other else { throw error }
      facts = try ControlClient.facts(at: socket, within: ConsoleBounds.facts)
    }
    store = facts.store.path
    return facts
  }

  mutating func ask(_ line: String) throws(ConsoleProblem) -> String {
    guard !place.isSocketGuessed || factsOfTracker() != nil else {
      throw ConsoleProblem(ProblemPhrase.storeTakesNoOrders.texts(place.store))
    }
    let answer: String
    do throws(AnswerError) { answer = try ControlClient.ask(line, at: place.socket) } catch {
      throw ConsoleProblem(error)
    }
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    throw ConsoleProblem(lines: answer)
  }

  mutating func stores() throws(ConsoleProblem) -> [CaptureStore] {
    if let snapshot {
      self.snapshot = nil
      return snapshot
    }
    do throws(StoreError) {
      let stores = try CaptureStore.openAllForReading(store ?? place.store)
      for store in stores { Program.complainOfDamage(store) }
      return stores
    } catch {
      throw ConsoleProblem(error)
    }
  }

  mutating func keptEvents() -> (text: String, time: MachineTime)? {
    let path = (store ?? place.store) + ".events"
    // By a program of its own: a disk may hang.
    let deadline = milliseconds(of: CLOCK_MONOTONIC) + ConsoleBounds.store.count
    guard
      let text = BriefProgram(["head", "-c", "\(EventMemory.mostBytes)", path])?
        .text(until: deadline)
    else { return nil }
    return (text, BootClock().machineTime)
  }

  /// That of a running tracker, or else the journal's.
  mutating func log(newest: Int) throws(ConsoleProblem) -> [String] {
    do throws(ConsoleProblem) {
      return try ask("log \(newest)").split(separator: "\n").map(String.init)
    } catch {
      let deadline = milliseconds(of: CLOCK_MONOTONIC) + ConsoleBounds.service.count
      guard place.isService,
        let text = ServiceReport.journal(newest: newest)?.text(until: deadline), !text.isEmpty
      else { throw error }
      return text.split(separator: "\n").map(String.init)
    }
  }

  private mutating func factsOfStore() throws(ConsoleProblem) -> TrackerFacts {
    let stores = try stores()
    snapshot = stores
    var facts = StoreReport.facts(of: stores, place.store)
    place.add(to: &facts)
    if CaptureStore.isInUse(place.store) {
      facts.identity.presence = .hung
      facts.identity.systemd = ProblemPhrase.storeInUse.texts
    } else {
      facts.identity.systemd = ProblemPhrase.onlyStore.texts
    }
    return facts
  }
}
