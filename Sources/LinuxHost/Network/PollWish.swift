import Glibc

/// What a poll loop waits for at a descriptor, or has found there.
public struct PollEvents: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readable = PollEvents(rawValue: 1)
  public static let writable = PollEvents(rawValue: 2)
  /// Found only: an error, or the other end has hung up.
  public static let failed = PollEvents(rawValue: 4)
}

/// A descriptor and what it is waited for, or what was found there.
public struct PollWish: Sendable, Equatable {
  public var descriptor: Int32
  public var events: PollEvents

  public init(_ descriptor: Int32, _ events: PollEvents) {
    self.descriptor = descriptor
    self.events = events
  }
}

/// Waits for any of `wishes`. The corresponding C function is `poll`.
///
/// - Parameter milliseconds: the longest wait; `nil` waits for ever.
/// - Returns: what was found; nothing after the wait, or when a signal came.
func waitFor(_ wishes: [PollWish], milliseconds: Int32?) -> [PollWish] {
  var entries = wishes.map { wish in
    var events: Int32 = 0
    if wish.events.contains(.readable) { events |= POLLIN }
    if wish.events.contains(.writable) { events |= POLLOUT }
    return pollfd(fd: wish.descriptor, events: Int16(events), revents: 0)
  }
  guard poll(&entries, nfds_t(entries.count), milliseconds ?? -1) > 0 else { return [] }
  return entries.compactMap { entry in
    let found = Int32(entry.revents)
    var events: PollEvents = []
    if found & POLLIN != 0 { events.insert(.readable) }
    if found & POLLOUT != 0 { events.insert(.writable) }
    if found & (POLLERR | POLLHUP | POLLNVAL) != 0 { events.insert(.failed) }
    return events.isEmpty ? nil : PollWish(entry.fd, events)
  }
}
