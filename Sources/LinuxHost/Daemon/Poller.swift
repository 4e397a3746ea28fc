import Glibc

/// The entries of a poll and its results. The storage is reused.
struct Poller {
  private var entries: [pollfd] = []

  mutating func clear() { entries.removeAll(keepingCapacity: true) }

  mutating func add(_ descriptor: Int32, wantsWrite: Bool = false) {
    entries.append(
      pollfd(
        fd: descriptor, events: Int16(wantsWrite ? POLLIN | POLLOUT : POLLIN), revents: 0))
  }

  mutating func add(_ interest: PollInterest) {
    var events: Int32 = 0
    if interest.events.contains(.readable) { events |= POLLIN }
    if interest.events.contains(.writable) { events |= POLLOUT }
    entries.append(pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
  }

  /// Sleeps for at most this many milliseconds; a signal may end it sooner.
  mutating func wait(atMost milliseconds: Int64) {
    // At most a day; then the loop simply polls again.
    let limit = Int32(min(milliseconds, 86_400_000))
    if Glibc.poll(&entries, nfds_t(entries.count), limit) <= 0 {
      // After an error poll leaves the entries unchanged.
      for index in entries.indices { entries[index].revents = 0 }
    }
  }

  /// What poll(2) reported; 0 for nothing.
  func revents(of descriptor: Int32) -> Int16 {
    entries.first { $0.fd == descriptor }?.revents ?? 0
  }

  func found(_ interest: PollInterest) -> PollInterest? {
    let revents = Int32(revents(of: interest.descriptor))
    var events: PollEvents = []
    if revents & POLLIN != 0 { events.insert(.readable) }
    if revents & POLLOUT != 0 { events.insert(.writable) }
    if revents & (POLLERR | POLLHUP | POLLNVAL) != 0 { events.insert(.failed) }
    return events.isEmpty ? nil : PollInterest(interest.descriptor, events)
  }
}
