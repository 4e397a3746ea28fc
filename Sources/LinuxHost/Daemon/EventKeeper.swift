import CaptureStore
import FieldConsole
import TrackerCore

/// When recent events are written to their file: soon after the start, then every few minutes if
/// there is news, and at the end.
struct EventKeeper {
  /// After the start, so that a machine that is switched off again soon leaves a trace.
  static let first = Milliseconds.seconds(30)
  /// What a power cut may cost; at this rate a walk of a day writes some 5 MB.
  static let interval = Milliseconds.minutes(5)

  private let file: EventFile
  private let device: UniqueID
  private var dueAt: Instant
  /// The revision that was written last.
  private var kept = 0
  /// As last logged.
  private var problem: String?

  init(path: String, of device: UniqueID, at now: Instant) {
    file = EventFile(path: path)
    self.device = device
    dueAt = now + Self.first
  }

  /// What an earlier run kept, or an empty memory.
  func load(at time: MachineTime, _ log: Log) -> EventMemory {
    var memory = EventMemory()
    do {
      guard let text = try file.read(atMost: EventMemory.mostBytes) else { return memory }
      try memory.take(text, of: device, at: time)
    } catch {
      log.write(
        .warning, "what happened before the start is not known",
        ["file": file.path, "why": "\(error)"])
    }
    return memory
  }

  /// - Parameter text: makes what is to be written; only called if that is due.
  mutating func tend(_ events: EventMemory, at now: Instant, _ log: Log, _ text: () -> String) {
    guard now >= dueAt else { return }
    report(log)
    guard events.revision != kept else { return }
    dueAt = now + Self.interval
    if file.begin(text()) { kept = events.revision }
  }

  /// At the end of a run.
  func finish(_ text: String) { file.finish(text) }

  /// A problem is logged once.
  private mutating func report(_ log: Log) {
    let news = file.problem
    guard news != problem else { return }
    problem = news
    guard let news else { return }
    log.write(
      .warning, "recent events are not kept across a restart",
      ["file": file.path, "why": news])
  }
}

extension LinuxWorld {
  mutating func tendEvents() {
    guard var keeper = eventKeeper else { return }
    keeper.tend(status.events, at: now, log) { eventText(isOrderly: false) }
    eventKeeper = keeper
  }

  /// The run ends.
  mutating func finishEvents() {
    guard let keeper = eventKeeper else { return }
    eventKeeper = nil
    status.end(at: now)
    keeper.finish(eventText(isOrderly: true))
  }

  private func eventText(isOrderly: Bool) -> String {
    status.events.kept(
      for: courier.store.device, date: status.date(at: now), isOrderly: isOrderly,
      at: clock.machineTime)
  }
}
