import Glibc
import LinuxHost

/// A poll loop's wait, written without the module's own.
func poll(_ interests: [PollInterest], for milliseconds: Int32?) -> [PollInterest] {
  var entries = interests.map {
    pollfd(
      fd: $0.descriptor,
      events: Int16(
        ($0.events.contains(.readable) ? POLLIN : 0)
          | ($0.events.contains(.writable) ? POLLOUT : 0)), revents: 0)
  }
  guard poll(&entries, nfds_t(entries.count), milliseconds ?? -1) > 0 else { return [] }
  return entries.filter { $0.revents != 0 }.map { entry in
    var events: PollEvents = []
    if Int32(entry.revents) & POLLIN != 0 { events.insert(.readable) }
    if Int32(entry.revents) & POLLOUT != 0 { events.insert(.writable) }
    if Int32(entry.revents) & (POLLERR | POLLHUP) != 0 { events.insert(.failed) }
    return PollInterest(entry.fd, events)
  }
}
