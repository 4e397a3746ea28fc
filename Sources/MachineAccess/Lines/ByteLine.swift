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

  /// Whether a burst gathers, which no poll sees until `wakeAt`.
  var isGathering: Bool { get }

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
  public var isGathering: Bool { false }
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
  public internal(set) var isUse = false

  init(_ texts: Texts) { self.texts = texts }
  /// Of an address in the configuration, whose errors are in English.
  init(inAddress text: String) { texts = text.texts }
}
