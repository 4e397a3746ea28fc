import CaptureStore
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore

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
    guard let socket = place.socket else { return try factsOfStore() }
    do throws(NoAnswer) {
      return try facts(at: socket)
    } catch {
      switch error.kind {
      case .absent: return AbsentTracker(place: place).dead()
      case .silent(let process): return AbsentTracker(place: place).hung(process)
      case .forbidden, .other: throw ConsoleProblem("\(error)")
      }
    }
  }

  private mutating func facts(at socket: String) throws(NoAnswer) -> TrackerFacts {
    let answer: String
    do throws(NoAnswer) {
      answer = try ControlClient.ask("facts", at: socket, within: ConsoleBounds.facts)
    } catch {
      // It ended at this very moment, or had too many clients.
      guard error.kind == .other else { throw error }
      answer = try ControlClient.ask("facts", at: socket, within: ConsoleBounds.facts)
    }
    let facts = TrackerFacts(lines: answer)
    store = facts.store
    return facts
  }

  mutating func ask(_ line: String) throws(ConsoleProblem) -> String {
    guard let socket = place.socket else {
      throw ConsoleProblem("\(place.store): a store takes no orders; pass the tracker's --socket")
    }
    let answer: String
    do throws(NoAnswer) { answer = try ControlClient.ask(line, at: socket) } catch {
      throw ConsoleProblem("\(error)")
    }
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    let problem = answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer
    throw ConsoleProblem(String(problem.prefix { !$0.isNewline }))
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
      throw ConsoleProblem("\(error)")
    }
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
    facts.systemd = "only its store was looked at"
    return facts
  }
}
