import CaptureStore
import CommandLineSupport
import FieldConsole
import Glibc
import SystemCalls
import TrackerCore
import Wording

/// What this machine knows about a tracker that does not answer: from its files, its process and
/// systemd, all asked at once and none waited for longer than `ConsoleBounds` says.
struct AbsentTracker {
  let place: TrackerPlace

  /// Somebody listens on its socket.
  func hung(_ process: Int32?) -> TrackerFacts {
    var (facts, service) = look()
    facts.identity.presence = .hung
    facts.identity.lastSignOfLife = lastSign(facts, service, ended: nil)
    facts.identity.systemd =
      (process ?? ProcessState.only(named: "trackerd")).flatMap { ProcessState.text(of: $0) }
    facts.identity.lastWords = service.lastWords
    return facts
  }

  /// Nobody listens there.
  func dead() -> TrackerFacts {
    var (facts, service) = look()
    let isStoreThere = !facts.identity.device.isEmpty || facts.store.problem != nil
    facts.identity.presence = isStoreThere || isInstalled(service) ? .dead : .notInstalled
    facts.identity.systemd = service.text
    // Stopping a tracker that works, but elsewhere, would be the wrong thing to do.
    if !facts.identity.device.isEmpty, CaptureStore.isInUse(place.store) {
      facts.identity.presence = .hung
      facts.identity.systemd = ProblemPhrase.listensElsewhere.texts(place.socket)
    }
    if service.isUp {
      facts.identity.presence = .hung
      facts.identity.systemd = ProcessPhrase.listensNowhere.texts(
        service.text ?? "systemd".texts, place.socket.texts)
    }
    facts.identity.lastWords = service.lastWords
    if let problem = place.problem { facts.identity.lastWords.append(problem) }
    facts.identity.lastSignOfLife = lastSign(
      facts, service, ended: service.isUp ? nil : service.age)
    return facts
  }

  /// When it last wrote anything, or ended: no process says since when it is stopped.
  private func lastSign(
    _ facts: TrackerFacts, _ service: ServiceReport, ended: Milliseconds?
  ) -> Milliseconds? {
    // A disk that does not answer is not asked again.
    let recording = facts.identity.device.isEmpty ? nil : service.recording
    return [facts.identity.lastSignOfLife, ended, recording.flatMap { StoreReport.age(of: $0) }]
      .compactMap(\.self).min()
  }

  private func look() -> (facts: TrackerFacts, service: ServiceReport) {
    let begun = milliseconds(of: CLOCK_MONOTONIC)
    let inquiry = place.isService ? ServiceReport.Inquiry() : nil
    let files = StoreReport.inquiry(place.store)
    let service = inquiry?.report(until: begun + ConsoleBounds.service.count) ?? ServiceReport()
    var facts = TrackerFacts()
    let message = files?.text(until: begun + ConsoleBounds.store.count)
    if let read = message.flatMap({ try? TrackerFacts(message: $0) }) {
      facts = read
    } else {
      let limit = ConsoleBounds.store.count / 1000
      facts.store.problem = ProblemPhrase.cannotBeRead.texts(place.store, "\(limit)")
    }
    place.add(to: &facts)
    return (facts, service)
  }

  private func isInstalled(_ service: ServiceReport) -> Bool {
    var status = stat()
    if lstat(place.socket, &status) == 0 { return true }
    if service.isInstalled { return true }
    var folders = (getenv("PATH").map { String(cString: $0) } ?? "")
      .split(separator: ":").map(String.init)
    if let own = realpath("/proc/self/exe", nil) {
      folders.append(directory(of: String(cString: own)))
      free(own)
    }
    return folders.contains { access($0 + "/trackerd", X_OK) == 0 }
  }
}

extension TrackerPlace {
  /// What the configuration says and the store does not.
  func add(to facts: inout TrackerFacts) {
    if let number { facts.identity.number = number }
    if facts.identity.team.isEmpty { facts.identity.team = team ?? "" }
    if facts.identity.language == nil { facts.identity.language = language }
    // Nobody checks a PIN then.
    facts.identity.consoleAccess = consoleAccess == .pin ? .readOnly : consoleAccess
  }
}
