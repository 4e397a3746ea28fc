import CaptureStore
import CommandLineSupport
import Courier
import HTTPTransfer
import MachineAccess
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// `bench delivery`: how fast a backlog is delivered: made-up captures in a store on disk, sent as
/// `trackerctl push` sends them.
struct DeliveryBench {
  /// 48 hours at ten seconds.
  static let standardCaptures: UInt32 = 17_280

  private let sender: RequestSender
  private let dialogue: AnyDialogue
  private let captures: UInt32
  private let address: String
  private let isConfirmed: Bool

  /// - Throws: if the command line is wrong or the server is not on this machine.
  init(_ arguments: Arguments) throws {
    address = arguments.text(.server) ?? ""
    let layer = try LayerAddress(address)
    guard layer.isThisMachine else {
      throw UsageError(
        "--server: bench fills the layer with made-up captures; give a basecamp on this machine")
    }
    dialogue = AnyDialogue(try ArcGISDialogue(ArcGISConfiguration(address: layer)))
    sender = try RequestSender(HTTPClientConfiguration())
    captures = arguments.number(.captures).map { UInt32(clamping: $0) } ?? Self.standardCaptures
    isConfirmed = arguments.has(.yes)
  }

  /// Refuses other machines: made-up captures would stay in a real layer.
  private func isWanted() throws -> Bool {
    if isConfirmed { return true }
    let question = "bench fills \(address) with \(captures) made-up captures, which stay there"
    guard isTerminal(StandardStream.input) else {
      throw UsageError("\(question); add --yes if that is all right")
    }
    try printOut("\(question). Go on? [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    guard try isWanted() else { return 2 }
    let folder = try TemporaryFolder()
    let store = try CaptureStore.open(.file("\(folder.path)/bench.store"), at: BootClock.date)
    for sequence in 1...captures {
      try store.append(Self.capture(sequence), at: BootClock.date)
    }
    let clock = BootClock()
    var delivery = Delivery(
      store, dialogue, bounds: DeliveryBounds(),
      environment: DeliveryEnvironment(
        now: { clock.hostTime }, boot: clock.boot,
        wait: { pause(milliseconds: $0.count) }, perform: sender.perform))
    let start = MachineBench.now()
    let report = try delivery.run()
    let seconds = MachineBench.now() - start
    if let problem = report.problem { complain(problem[.english], program: "bench") }
    let traffic = sender.traffic
    let delivered = max(1, report.pushed)
    let rate = Int(Double(report.pushed) / max(seconds, 0.001))
    try printOut(
      """
      backlog   \(captures) captures in a store on disk
      pushed    \(report.pushed) in \(Self.decimal(seconds)) s (\(rate)/s), \
      \(report.requests) requests, \(traffic.newConnections) connections
      sent      \(Self.decimal(Double(traffic.sentBytes) / Double(delivered))) bytes per capture
      received  \(Self.decimal(Double(traffic.receivedBytes) / Double(delivered))) bytes per capture

      """)
    return report.left == 0 && report.setAside == 0 ? 0 : 1
  }

  /// A point of a long walk.
  private static func capture(_ sequence: UInt32) -> Capture {
    let step = Int32(clamping: sequence % 100_000)
    var capture = Capture(
      sequence: sequence, utc: UTC(milliseconds: 1_349_517_600_000 + Int64(sequence) * 10_000),
      isTimeTrusted: true,
      position: Coordinate(latitude: 421_822_000 - step * 23, longitude: 24_890_000 + step * 31),
      team: InlineText("Els Senglars"), trigger: .interval)
    capture.altitudeMillimetres = 443_000 - step
    capture.accuracyMetres = 5
    capture.batteryPercent = UInt8(100 - step % 90)
    return capture
  }

  /// The value with one decimal.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// A folder that is removed with its content at the end of its life.
private struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws(FileAccessError) {
    let path = "\(temporaryDirectory)/bench-\(ownProcess)"
    do throws(SystemError) { try makeFolder(path, mode: 0o700) } catch {
      throw FileAccessError("cannot make", path, code: error.code)
    }
    self.path = path
  }

  deinit {
    for name in names(inFolder: path) { try? removeFile("\(path)/\(name)") }
    try? removeFolder(path)
  }
}

var temporaryDirectory: String { environmentValue("TMPDIR") ?? "/tmp" }
