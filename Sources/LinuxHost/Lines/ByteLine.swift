public import TrackerCore

/// A line that bytes come from and go to, served by somebody else's poll: a serial port, or
/// another program's socket.
///
/// It comes and goes by itself: without its device it tries again from time to time, with growing
/// pauses, and what becomes of it comes out of `takeEvents()`. No call blocks.
public protocol ByteLine: AnyObject {
  /// What to poll for input now. `nil` while there is nothing to poll: no device, or a line that
  /// lets a burst gather until `wakeAt`.
  var descriptor: Int32? { get }
  /// Whether to poll for output too.
  var wantsWrite: Bool { get }
  /// The next instant at which `tend(at:)` is to be called; `nil`: none.
  var wakeAt: Instant? { get }
  /// Whether the line stands, also while it has no `descriptor` to poll.
  var isConnected: Bool { get }

  /// Does what is due: opens the line, shows what has gathered, tries another rate.
  func tend(at now: Instant)

  /// Something else is about to be decided: what lies ready is to be read by the next poll, not
  /// when it has gathered.
  func hurry(at now: Instant)

  /// Reads what poll(2) reported at `descriptor`, never more than the buffer holds.
  ///
  /// Closes the line when it has hung up, and plans to open it again.
  ///
  /// - Parameter revents: as poll(2) reported them.
  /// - Returns: how many bytes lie at the front of `buffer`.
  func ready(_ revents: Int16, at now: Instant, into buffer: inout MutableSpan<UInt8>) -> Int

  /// Sends all of `bytes`, in order with what was sent before.
  ///
  /// - Returns: `false` when there is no line, no room, or no way to send: then none is sent.
  func send(_ bytes: [UInt8], at now: Instant) -> Bool

  /// Throws away what was taken to be sent and has not left yet.
  func discardUnsent()

  /// What has become of the line since the last call, in order.
  func takeEvents() -> [LineEvent]
}

extension ByteLine {
  public var isConnected: Bool { descriptor != nil }
  public func hurry(at now: Instant) {}
  public func discardUnsent() {}
}

/// What became of a line.
public enum LineEvent: Sendable, Equatable {
  /// It stands; `baud` is 0 where there is no such thing.
  case opened(name: String, baud: Int)
  /// It stood, and does no more.
  case lost(name: String, LineProblem)
  /// It cannot be opened; said once until that changes.
  case unavailable(LineProblem)
  /// The rate that was looked for.
  case baudFound(Int)
}

/// What is wrong with a line, in a few words: what, where, what to do.
public struct LineProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
  /// The device is not there: no surprise after its plug was pulled.
  var isAbsence = false

  public init(_ description: String) { self.description = description }
}
