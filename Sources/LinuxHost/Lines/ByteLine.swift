public import SystemCalls
public import TrackerCore
public import Wording

/// A line for bytes in both directions, served by the caller's poll loop: a serial port, or another
/// program's socket.
///
/// It reopens itself: without its device it retries with growing pauses, and reports changes
/// through `takeEvents()`. No call blocks.
public protocol ByteLine: AnyObject {
  /// The descriptor to poll for input. `nil` while there is nothing to poll: no device, or a burst
  /// is gathering until `wakeAt`.
  var descriptor: Int32? { get }
  /// Whether to poll for output, too.
  var wantsWrite: Bool { get }
  /// When to call `tend(at:)` next; `nil`: never.
  var wakeAt: Instant? { get }
  /// Whether the line is open, even if it has no `descriptor` to poll at the moment.
  var isConnected: Bool { get }

  /// The open device file, no link to it; `nil` if there is none.
  var device: String? { get }

  /// Does what is due: opens the line, makes a gathered burst readable, tries another rate.
  func tend(at now: Instant)

  /// Makes what has gathered so far readable by the next poll, because a decision is due.
  func hurry(at now: Instant)

  /// Reads what was found at `descriptor`, never more than the buffer holds.
  ///
  /// Closes the line on a hang-up, and plans to reopen it.
  ///
  /// - Parameter found: what the poll has found.
  /// - Returns: the number of bytes at the front of `buffer`.
  func ready(_ found: PollEvents, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int

  /// Queues all of `bytes` to be sent after earlier ones.
  ///
  /// - Returns: `false` when there is no line, no room, or it cannot send; then nothing is queued.
  func send(_ bytes: [UInt8], at now: Instant) -> Bool

  /// Opens it at this rate from now on, bits per second; `nil`: at its usual one.
  func setBaud(_ baud: Int?)

  /// Discards queued bytes that have not been sent yet.
  func discardUnsent()

  /// The events of the line since the last call, in order.
  func takeEvents() -> [LineEvent]
}

extension ByteLine {
  public var isConnected: Bool { descriptor != nil }
  public var device: String? { nil }
  public func hurry(at now: Instant) {}
  public func discardUnsent() {}
  public func setBaud(_ baud: Int?) {}
}

/// A change of a line.
public enum LineEvent: Sendable, Equatable {
  /// It is open; `baud` is 0 if it has no baud rate.
  case opened(name: String, baud: Int)
  /// It was open and is closed now.
  case lost(name: String, LineError)
  /// It cannot be opened; reported once until that changes.
  case unavailable(LineError)
  /// The baud rate was found.
  case baudFound(Int)
}

/// What is wrong with a line: what, where, what to do.
public struct LineError: Error, Sendable, Equatable, Worded {
  public let texts: Texts
  /// Whether the device is missing, which is to be expected after it was unplugged.
  var isAbsence = false
  /// Whether another program has the device.
  var isUse = false

  init(_ texts: Texts) { self.texts = texts }
  /// Of an address in the configuration, whose errors are in English.
  init(inAddress text: String) { texts = text.texts }
}

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
  /// Whether the last poll has found something that was not read yet.
  var isReadable: Bool { !found.isEmpty }

  func tend(_ pass: inout Pass) {
    if let due = line.wakeAt, pass.now >= due { line.tend(at: pass.now) }
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
