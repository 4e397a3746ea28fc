internal import Glibc

/// The events that a poll waits for at a descriptor, or has found there.
public struct PollEvents: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = PollEvents(rawValue: 1)
  public static let writable = PollEvents(rawValue: 2)
  /// Only as a result: an error, or the other end has hung up.
  public static let failed = PollEvents(rawValue: 4)

  fileprivate var flags: Int16 {
    Int16((contains(.readable) ? POLLIN : 0) | (contains(.writable) ? POLLOUT : 0))
  }

  fileprivate init(flags: Int16) {
    let flags = Int32(flags)
    self = []
    if flags & POLLIN != 0 { insert(.readable) }
    if flags & POLLOUT != 0 { insert(.writable) }
    if flags & (POLLERR | POLLHUP | POLLNVAL) != 0 { insert(.failed) }
  }
}

/// A descriptor and the events to wait for, or that were found.
public struct PollInterest: Sendable, Equatable {
  public var descriptor: Int32
  public var events: PollEvents

  public init(_ descriptor: Int32, _ events: PollEvents) {
    self.descriptor = descriptor
    self.events = events
  }
}

/// The descriptors of a poll, and what it has found. The storage is reused. The corresponding C
/// function is `poll`.
public struct PollSet: Sendable {
  public enum Outcome: Sendable, Equatable {
    case found, timedOut
    /// A signal came.
    case interrupted
    /// The call failed, and would fail again at once: too many descriptors (EINVAL), or no memory
    /// (ENOMEM). It has slept for a while, so that a loop that goes on does not spin.
    case failed(SystemError)
  }

  /// How long a wait that fails sleeps at most, milliseconds: rare enough for a log line each.
  private static let failurePause: Int64 = 1000

  private var entries: [pollfd] = []

  public init() {}

  public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// - Parameter count: how many stay, of those that were added first.
  public mutating func removeAll(after count: Int) { entries.removeLast(entries.count - count) }

  public var count: Int { entries.count }

  public mutating func add(_ descriptor: Int32, _ events: PollEvents = .readable) {
    entries.append(pollfd(fd: descriptor, events: events.flags, revents: 0))
  }

  public mutating func add(_ interest: PollInterest) { add(interest.descriptor, interest.events) }

  /// Sleeps until something is found; a signal may end it sooner.
  ///
  /// - Parameter milliseconds: the longest time, at most a day; `nil`: no limit.
  @discardableResult
  public mutating func wait(atMost milliseconds: Int64?) -> Outcome {
    let limit = milliseconds.map { Int32(clamping: min(max(0, $0), 86_400_000)) } ?? -1
    let count = Glibc.poll(&entries, nfds_t(entries.count), limit)
    if count > 0 { return .found }
    let error = SystemError.last("poll")
    // After an error poll leaves the entries unchanged.
    for index in entries.indices { entries[index].revents = 0 }
    if count == 0 { return .timedOut }
    if error.code == EINTR { return .interrupted }
    pause(milliseconds: min(Self.failurePause, max(0, milliseconds ?? .max)))
    return .failed(error)
  }

  /// What was found at a descriptor; empty for nothing.
  public func found(_ descriptor: Int32) -> PollEvents {
    guard let entry = entries.first(where: { $0.fd == descriptor }) else { return [] }
    return PollEvents(flags: entry.revents)
  }

  /// Whether anything was found at those that were added first.
  public func hasFound(inFirst count: Int) -> Bool {
    for index in 0..<count where entries[index].revents != 0 { return true }
    return false
  }

  /// What was found of an interest; `nil` for nothing.
  public func found(_ interest: PollInterest) -> PollInterest? {
    let events = found(interest.descriptor)
    return events.isEmpty ? nil : PollInterest(interest.descriptor, events)
  }
}

/// Waits at one descriptor.
///
/// - Parameter milliseconds: the longest time; `nil`: no limit.
/// - Returns: what was found; empty after the time, a signal, or an error.
public func poll(
  _ descriptor: Int32, _ events: PollEvents = .readable, atMost milliseconds: Int64?
) -> PollEvents {
  var set = PollSet()
  set.add(descriptor, events)
  return set.wait(atMost: milliseconds) == .found ? set.found(descriptor) : []
}

/// Waits for input at one descriptor, also after a signal.
///
/// - Returns: whether there is some, or an end or error that a read returns; `false`: the time is
///   over.
func hasInput(_ descriptor: Int32, within milliseconds: Int64) throws(SystemError) -> Bool {
  let end = KernelTimer.monotonic.milliseconds + milliseconds
  var set = PollSet()
  set.add(descriptor)
  while true {
    switch set.wait(atMost: end - KernelTimer.monotonic.milliseconds) {
    case .found: return true
    case .timedOut: return false
    case .interrupted: continue
    case .failed(let error): throw error
    }
  }
}
