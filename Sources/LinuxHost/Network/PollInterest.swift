import Glibc

/// The events that a poll loop waits for at a descriptor, or has found there.
public struct PollEvents: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = PollEvents(rawValue: 1)
  public static let writable = PollEvents(rawValue: 2)
  /// Only as a result: an error, or the other end has hung up.
  public static let failed = PollEvents(rawValue: 4)
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

/// Waits for any of `interests`. The corresponding C function is `poll`.
///
/// - Parameter milliseconds: the longest wait; `nil`: no limit.
/// - Returns: what was found; empty after a timeout or a signal.
func waitFor(_ interests: [PollInterest], milliseconds: Int32?) -> [PollInterest] {
  var entries = interests.map { interest in
    var events: Int32 = 0
    if interest.events.contains(.readable) { events |= POLLIN }
    if interest.events.contains(.writable) { events |= POLLOUT }
    return pollfd(fd: interest.descriptor, events: Int16(events), revents: 0)
  }
  guard poll(&entries, nfds_t(entries.count), milliseconds ?? -1) > 0 else { return [] }
  return entries.compactMap { entry in
    let found = Int32(entry.revents)
    var events: PollEvents = []
    if found & POLLIN != 0 { events.insert(.readable) }
    if found & POLLOUT != 0 { events.insert(.writable) }
    if found & (POLLERR | POLLHUP | POLLNVAL) != 0 { events.insert(.failed) }
    return events.isEmpty ? nil : PollInterest(entry.fd, events)
  }
}
