import CaptureStore
import CommandLineWords
import Glibc
import LinuxHost
import TrackerCore
import Uplink

/// Sends what waits in a store to a server.
struct Push {
  private let options: Options
  private let dialogue: ArcGISDialogue

  /// - Throws: what on the command line can never work, before anything is opened.
  init(_ options: Options) throws {
    self.options = options
    var configuration = ArcGISConfiguration(address: try LayerAddress(options.server))
    configuration.credentials = try ArcGISCredentials(options)
    dialogue = try ArcGISDialogue(configuration)
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    var configuration = HTTPClientConfiguration()
    configuration.authoritiesFile = options.authorities
    let sender = try RequestSender(configuration)
    let store = try openStore()
    var delivery = Delivery(
      store, dialogue, now: Self.now,
      wait: { usleep(UInt32(clamping: max(0, $0.count) * 1000)) }, perform: sender.perform)
    let isWatched = isatty(STDERR_FILENO) == 1
    if isWatched { delivery.progress = Self.show }
    let report = try delivery.run()
    if isWatched { Self.write("\r\u{1B}[K") }
    if let problem = report.problem {
      let isOver = report.end == .unsuitable
      Program.complain(
        problem + (isOver ? "" : "; \(report.left) captures wait, repeat the command to go on"))
    }
    if report.end == .unsuitable { return 2 }
    try Program.say(
      "pushed \(report.pushed), \(report.left) left, \(report.setAside) set aside\n")
    return report.left == 0 ? 0 : 1
  }

  private func openStore() throws -> CaptureStore {
    // Opening makes a store that is not there; an empty one is not what was meant.
    guard access(options.store, F_OK) == 0 else {
      throw UsageError("\(options.store): there is no store; check the path")
    }
    let store = try CaptureStore.open(.file(options.store), at: Self.now())
    if case .salvaged(let salvage) = store.opening { Program.complain("\(salvage)") }
    return store
  }

  private static func now() -> UTC {
    var time = timespec()
    // Cannot fail: the clock exists on every Linux, and the address is ours.
    clock_gettime(CLOCK_REALTIME, &time)
    return UTC(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private static func show(_ report: DeliveryReport) {
    write("\r\u{1B}[Kpushed \(report.pushed), \(report.left) left")
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // Only for somebody who looks on: nothing depends on it.
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
