import CommandLineWords
import Glibc
import LinuxHost
import TrackerCore
import Uplink

/// The way to a server, as the command line describes it.
struct ServerLine {
  private let dialogue: ArcGISDialogue
  private let sender: RequestSender
  /// Whether the server is asked what it has before anything is sent.
  var asksFirst = false
  /// What the captures become, for somebody who looks on.
  var verb = "pushed"

  /// - Throws: what on the command line can never work; nothing has been sent.
  init(_ options: Options) throws {
    var configuration = ArcGISConfiguration(address: try LayerAddress(options.server))
    configuration.credentials = try ArcGISCredentials(options)
    dialogue = try ArcGISDialogue(configuration)
    var network = HTTPClientConfiguration()
    network.authoritiesFile = options.authorities
    sender = try RequestSender(network)
  }

  /// What all requests together cost on the wire.
  var traffic: HTTPTraffic { sender.traffic }

  /// Delivers until nothing is left or too much has failed, and says what went wrong.
  ///
  /// - Returns: what was done; `nil` when the server cannot take captures as it is addressed.
  func deliver(_ queue: any DeliveryQueue) throws -> DeliveryReport? {
    var delivery = Delivery(
      queue, dialogue, now: { .now },
      wait: { usleep(UInt32(clamping: max(0, $0.count) * 1000)) }, perform: sender.perform)
    delivery.asksFirst = asksFirst
    let verb = verb
    delivery.progress = { Self.show("\(verb) \($0.pushed), \($0.left) left") }
    let report = try delivery.run()
    Self.show("")
    let isOver = report.end == .unsuitable
    if let problem = report.problem {
      Program.complain(
        problem + (isOver ? "" : "; \(report.left) captures wait, repeat the command to go on"))
    }
    return isOver ? nil : report
  }

  /// Shows how far it has come, on a terminal alone; an empty text wipes it away.
  static func show(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let bytes = Array("\r\u{1B}[K\(text)".utf8)
    // Only for somebody who looks on: nothing depends on it.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

extension UTC {
  /// This machine's own time.
  static var now: UTC {
    var time = timespec()
    // Cannot fail: the clock exists on every Linux, and the address is ours.
    clock_gettime(CLOCK_REALTIME, &time)
    return UTC(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
