import FeatureService
import Glibc
import Synchronization
import TrackerCore

/// Whether the server is being stopped, which ends all waits.
final class Ending: Sendable {
  private let hasCome = Atomic<Bool>(false)

  var isHere: Bool { hasCome.load(ordering: .relaxed) }

  func come() { hasCome.store(true, ordering: .relaxed) }

  func wait(_ time: Milliseconds) {
    let end = HostTime.now.uptime + time
    while !hasCome.load(ordering: .relaxed) {
      let rest = end - HostTime.now.uptime
      if rest <= 0 { return }
      usleep(UInt32(min(rest, 50).count * 1000))
    }
  }
}
