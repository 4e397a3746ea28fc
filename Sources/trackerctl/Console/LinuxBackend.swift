import CaptureStore
import FieldConsole
import LinuxHost
import TrackerCore

/// A tracker on this machine, as a console sees it: running behind its socket, or not.
struct LinuxBackend: ConsoleBackend {
  let options: ConsoleOptions

  mutating func facts() -> TrackerFacts {
    if options.isStoreOnly { return factsOfStore(.dead) }
    do throws(HostProblem) {
      let answer = try ControlClient.ask("facts", at: options.socket)
      guard answer.hasPrefix("ok\n") else { return factsOfStore(.hung) }
      return TrackerFacts(lines: String(answer.dropFirst(3)))
    } catch {
      return factsOfStore(.dead)
    }
  }

  mutating func ask(_ line: String) throws(ConsoleProblem) -> String {
    let answer: String
    do throws(HostProblem) { answer = try ControlClient.ask(line, at: options.socket) } catch {
      throw ConsoleProblem("\(error)")
    }
    if answer.hasPrefix("ok\n") { return String(answer.dropFirst(3)) }
    let problem = answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer
    throw ConsoleProblem(String(problem.prefix { !$0.isNewline }))
  }

  mutating func stores() throws(ConsoleProblem) -> [CaptureStore] {
    do throws(StoreError) {
      let stores = try CaptureStore.openAllForReading(
        options.store ?? ConsoleOptions.defaultStore)
      for store in stores { Program.complainOfDamage(store) }
      return stores
    } catch {
      throw ConsoleProblem("\(error)")
    }
  }

  mutating func log(newest: Int) throws(ConsoleProblem) -> [String] {
    try ask("log \(newest)").split(separator: "\n").map(String.init)
  }

  /// What the disk tells of a tracker that does not answer.
  private mutating func factsOfStore(_ presence: TrackerFacts.Presence) -> TrackerFacts {
    var facts = TrackerFacts()
    facts.presence = presence
    guard let store = try? stores().first else { return facts }
    facts.device = store.device.lowercaseText
    facts.number = String(facts.device.prefix(CaptureName.shownDigits))
    let oldest = (try? store.oldestWaiting()) ?? nil
    facts.take(StoreFacts(store, date: BootClock.date), oldest: oldest)
    if let last = ((try? store.newest(1)) ?? []).first {
      facts.team = String(last.capture.team)
      facts.lastCapture = Int64(last.capture.sequence)
      facts.lastCaptureAge = max(0, (BootClock.date - last.takenAt).count)
    }
    return facts
  }
}

extension ConsoleOptions {
  /// A store is looked at by itself, unless its tracker's socket is named, too.
  var isStoreOnly: Bool { store != nil && !isSocketGiven }
}
