import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// The line to the receiver or the modem, in the loop.
///
/// Its bytes are read when the tracker's buffer is there for them (`read`), not in `handle`.
final class LineSource: PollSource {
  let role: SerialRole
  let line: any ByteLine
  /// Whether it is present, as last reported to the core, which assumes so until told otherwise.
  private var isPresent = true
  /// Why it is not connected.
  private(set) var problem: Texts?
  /// Whether that is another program.
  private(set) var isTaken = false
  /// Who else uses it, and what to do.
  var sharing: Texts?
  private var found: PollEvents = []

  init(_ role: SerialRole, _ line: any ByteLine) {
    self.role = role
    self.line = line
  }

  var isConnected: Bool { line.isConnected }
  /// Whether the last poll has found something that was not read yet, or a burst has gathered.
  var isReadable: Bool { !found.isEmpty }

  func tend(_ pass: inout Pass) {
    if let due = line.wakeAt, pass.now >= due {
      let wasGathering = line.isGathering
      line.tend(at: pass.now)
      // Once for each burst: a line that never rests must not keep others from being polled.
      if wasGathering && !line.isGathering { found.insert(.readable) }
    }
    takeEvents(&pass)
  }

  func register(in wait: inout LoopWait, at now: Instant) {
    if let descriptor = line.descriptor {
      wait.add(descriptor, line.wantsWrite ? [.readable, .writable] : .readable)
    }
    wait.wake(at: line.wakeAt)
  }

  func handle(_ wait: LoopWait, _ pass: inout Pass) { found = wait.found(line.descriptor) }

  /// - Returns: how many bytes are in the buffer.
  func read(into buffer: inout MutableSpan<UInt8>, at now: Instant) -> Int {
    let events = found
    found = []
    return line.ready(events, at: now, into: &buffer)
  }

  /// Logs the events of the line.
  func takeEvents(_ pass: inout Pass) {
    for event in line.takeEvents() {
      switch event {
      case .opened(let name, let baud):
        changed(isPresent: true, &pass)
        pass.log.write(
          .notice, "line opened", ["line": "\(role)", "name": name, "baud": "\(baud)"])
      case .lost(let name, let why):
        changed(isPresent: false, &pass)
        problem = name.texts.colon(why)
        isTaken = false
        pass.log.write(
          .warning, "line lost", ["line": "\(role)", "name": name, "why": "\(why)"])
      case .unavailable(let why):
        changed(isPresent: false, &pass)
        problem = why.texts
        isTaken = why.isUse
        pass.log.write(.warning, "line unavailable", ["line": "\(role)", "why": "\(why)"])
      case .baudFound(let baud):
        pass.log.write(.notice, "baud rate found", ["line": "\(role)", "baud": "\(baud)"])
      }
    }
  }

  private func changed(isPresent: Bool, _ pass: inout Pass) {
    guard isPresent != self.isPresent else { return }
    self.isPresent = isPresent
    pass.news.append(.line(role, isPresent: isPresent))
  }
}
